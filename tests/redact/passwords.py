"""Places in which people have passwords and tokens; `{}` is the value.

With `/free` at the end, the place takes no value with a sign that means something there.
"""

from __future__ import annotations

PLACES = {
    "dotenv": "DB_HOST=x\nDB_PASSWORD={}\nPORT=1",
    "dotenv, quoted": 'SMTP_PASS="{}"',
    "dotenv, exported": "export ADMIN_PASSWORD='{}'",
    "connection string": "postgres://app:{}@db.example.org:5432/app",
    "MongoDB": "mongodb+srv://root:{}@c0.mongodb.net/x",
    "Redis without a user": "redis://:{}@cache:6379/0",
    "AMQP": "amqps://svc:{}@mq.example.org/v",
    "JDBC": "jdbc:postgresql://db/app?user=app&password={}/free",
    "JDBC, SQL Server": "jdbc:sqlserver://db;user=sa;password={};encrypt=true/free",
    "ADO": "Server=db;Database=x;User Id=sa;Password={};",
    "query": "https://x.example/login?user=a&password={}/free",
    "psql": "PGPASSWORD={} psql -h db app/free",
    "option": "tool --user me --password {} --verbose/free",
    "option with =": "tool --password={} run/free",
    "option, quoted": "tool --db-password '{}' run",
    "mysql": "mysql -u root -p'{}' app",
    "sshpass": "sshpass -p '{}' ssh me@host",
    "curl -u": "curl -u 'me:{}' https://x.example/",
    "curl --user": 'curl --user "me:{}" https://x.example/',
    "redis-cli": "redis-cli -h x -a '{}' ping",
    "docker login": "docker login -u me -p '{}' registry.example.org",
    "netrc": "machine x.example login me password {}",
    "netrc, lines": "machine x.example\n  login me\n  password {}\n",
    "SQL": "CREATE USER me IDENTIFIED BY '{}';",
    "SQL, Postgres": "ALTER ROLE me WITH PASSWORD '{}';",
    "JSON": '{"user": "me", "password": "{}"}',
    "JSON, passphrase": '{"passphrase":"{}"}',
    "YAML": "db:\n  password: '{}'\n",
    "Python": 'connect(password="{}")',
    "JavaScript": "const c = { user: 'me', password: '{}' }",
    "Java": 'private String dbPassword = "{}";',
    "PHP": "'password' => '{}',",
    "Terraform": 'master_password = "{}"',
    "chpasswd": "echo 'me:{}' | chpasswd",
    "sudo": "echo '{}' | sudo -S ls/free",
    "openssl": "openssl rsa -passin pass:{} -in k/free",
    "prose": 'The password is "{}".',
}
