function %(complete_func)s
    for line in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp | string collect) COMP_CWORD=(commandline -ct | string collect) %(prog_name)s 2>/dev/null)
        set -l parts (string split -m 1 , -- $line)
        switch $parts[1]
            case dir
                __fish_complete_directories $parts[2]
            case file
                __fish_complete_path $parts[2]
            case plain
                printf '%%s\n' $parts[2]
        end
    end
end
complete --keep-order --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
