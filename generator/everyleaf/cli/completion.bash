%(complete_func)s() {
    local IFS=$'\n' line=${COMP_LINE:0:COMP_POINT} type value word
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_WORDS=$line %(complete_var)s=bash_complete "$1" 2>/dev/null)
    # What is inserted goes without its description: the only one, or each in turn.
    if ((${#COMPREPLY[@]} == 1 || COMP_TYPE == 37)); then
        COMPREPLY=("${COMPREPLY[@]%%%%$'\t'*}")
    fi
    COMPREPLY=("${COMPREPLY[@]/$'\t'/  }")
    # Bash ends words at colons, and replaces only what stands behind the last one.
    word=${line##*[[:space:]=]}
    if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%%"${word##*:}"}"}")
    fi
}
complete -o nosort -F %(complete_func)s %(prog_name)s
