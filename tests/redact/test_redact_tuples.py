"""Values of columns that are named once: in statements, in programs, in HTML."""

from __future__ import annotations

import pytest

from redact.making import password, shown, spoken, token

TAKEN = [
    "INSERT INTO users (id, name, password) VALUES (1,'ada','{}'), (2,'eve','{}');",
    "INSERT INTO u (id, name, password)\nVALUES\n  (1, 'it''s', '{}'),\n  (2, 'e', '{}');",
    " 2→INSERT INTO u (name, password)\n 3→VALUES\n 4→  ('a', '{}'),\n 5→  ('b', '{}')",
    """CREATE TABLE users (id INTEGER PRIMARY KEY, n TEXT NOT NULL, password TEXT, at DATE);
INSERT INTO users VALUES(1,'ada','{}','2024-01-01');
INSERT INTO users VALUES(2,'eve','{}','2024-01-01');""",
    """CREATE TABLE `users` (
  `id` int(11) NOT NULL,
  `role` enum('a','b') DEFAULT 'a',
  `smtp_password` varchar(255),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
INSERT INTO `users` VALUES (1,'a','{}'),(2,'b','{}');""",
    'many("INSERT INTO u (name, password) VALUES (?, ?)", [("ada", "{}"), ("eve", "{}")])',
    "db.query('INSERT INTO u (id, mail, password) VALUES (1, $1, $2)', ['a@b.ex', '{}'])",
    "insert into u (name, password) values ('ada', crypt('{}', gen_salt('bf')));",
    '@parametrize("user,password", [("ada", "{}"), ("eve", "{}")])',
    '@parametrize(("user", "password"), [\n    ("ada", "{}"),\n    ("eve", "{}"),\n])',
    '{"columns": ["id", "user", "password"], "rows": [[1, "ada", "{}"], [2, "eve", "{}"]]}',
    """<tr><th>User</th><th>Password</th></tr>
<tr><td>ada</td><td>{}</td></tr>
<tr>
<td>eve</td>
<td>{}</td>
</tr>""",
    "| user | password |\n| ada  | {} |\n| eve  | {} |",
    "id|user|password\n1|ada|{}\n2|eve|{}",
    '"user";"password";"role"\n"ada";"{}";"admin"',
]
TOKENS = [
    """CREATE TABLE public.apps (
    id integer,
    api_token text
);
INSERT INTO public.apps VALUES (1, '{}');
INSERT INTO public.apps VALUES (2, '{}');""",
    '{"columns":["id","api_token"],"values":[[1,"{}"],[2,"{}"]]}',
]
HARMLESS = [
    "INSERT INTO u (id, password_changed_at, token_count) VALUES (1, '2024-01-01', 12);",
    "CREATE TABLE u (name text, password text);\nINSERT INTO u VALUES ('ada-22', NULL);",
    "INSERT INTO u (name, password) VALUES (?, ?)",
    'fields = ("username", "password"), ("first_name", "last_name")',
    "<tr><th>Password</th><th>Rule</th></tr><tr><td>required</td><td>at least 12</td></tr>",
    "ps | grep password | less\nls | wc2 | sort3",
]


@pytest.mark.parametrize("said", TAKEN)
def test_rows_hide_what_stands_in_a_column_of_passwords(said, detector):
    for make in (password, lambda: f"{spoken().title()}-{spoken().title()}42"):
        values = [make() for _ in range(said.count("{}"))]
        text = said
        for value in values:
            text = text.replace("{}", value, 1)

        left = shown(detector, text)

        assert not [value for value in values if value in left]
        assert left.count("•") <= sum(map(len, values)) + len("1|ada|")


@pytest.mark.parametrize("said", TOKENS)
def test_rows_hide_what_stands_in_a_column_of_tokens(said, detector):
    value = token()

    assert value not in shown(detector, said.replace("{}", value))


@pytest.mark.parametrize("said", HARMLESS)
def test_other_columns_stay(said, detector):
    assert shown(detector, said) == said
