//! A throw-away PostgreSQL cluster, shared by all tests of this process and gone when the process is.
//!
//! A small shell script sets the cluster up and then reads its standard input, the other end of which this process
//! holds and never closes. However this process ends, the pipe closes, and the script stops the cluster and removes its
//! folder. `TEST_POSTGRES_URL` names a server to use instead.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use sea_orm::{ConnectionTrait, Database};
use uuid::Uuid;

use super::ports::free_port;

/// Sets the cluster up in `$2` with the programs of `$1` on port `$3`, says so, and keeps it until standard input ends.
/// Each line of standard input, such as `start` or `stop`, is done and answered with a line.
const SCRIPT: &str = r#"
set -eu
programs=$1 folder=$2 port=$3
cd "$folder"
trap 'thaw 2>/dev/null || :; "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || :; cd /; rm -rf "$folder"' EXIT
start() {
    "$programs/pg_ctl" -D "$folder/data" -w -t 60 -l "$folder/server.log" \
        -o "-c listen_addresses=127.0.0.1 -p $port -k $folder -c fsync=on -c max_connections=300" start </dev/null
}
stop() {
    "$programs/pg_ctl" -D "$folder/data" -w -t 60 -m immediate stop </dev/null
}
postmaster() {
    head -n 1 "$folder/data/postmaster.pid"
}
children() {
    cat "/proc/$1/task/$1/children"
}
# A signal takes effect some time after it was sent.
stopped() {
    for process in "$@"; do
        kill -STOP "$process" 2>/dev/null || continue
        while grep -qs '^State:[[:space:]]*[RSD]' "/proc/$process/status"; do sleep 0.01; done
    done
}
freeze() {
    # The one that starts others comes first, so that none is left out.
    stopped "$(postmaster)"
    stopped $(children "$(postmaster)")
}
thaw() {
    kill -CONT $(postmaster) $(children "$(postmaster)")
}
revive() {
    stop || :
    start
}
set_up() {
    "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-locale --no-sync
    start
}
logged() {
    "$1" >"$folder/set-up.log" 2>&1 || { cat "$folder/set-up.log" "$folder/server.log" >&2; exit 1; }
    echo done
}
logged set_up
while read -r wanted; do logged "$wanted"; done
"#;

/// Users that may run a server when this process is root, which may not.
const USERS: [&str; 2] = ["postgres", "nobody"];

static SERVER: OnceLock<Option<Server>> = OnceLock::new();

/// A PostgreSQL server that tests may make databases on.
pub struct Server {
    /// Address of the server, up to and without the name of a database.
    base_url: String,
    /// What is asked for behind the name of a database, with its question mark.
    query: String,
    /// The database that is there from the beginning.
    first_database: String,
    /// Held until the process ends; `None` for a server that somebody else keeps.
    _cluster: Option<Cluster>,
}

/// A cluster of our own: the script that keeps it until its standard input ends, and the lines that it answers with.
pub struct Cluster {
    pub process: Child,
    lines: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    /// The server of this process; `None` where PostgreSQL is not installed, which is said once and loudly.
    ///
    /// # Panics
    /// When it is not installed and `REQUIRE_POSTGRES=1` demands it.
    pub fn shared() -> Option<&'static Self> {
        SERVER.get_or_init(Self::find).as_ref()
    }

    /// Makes an empty database and returns its address.
    pub async fn create_database(&self) -> String {
        let name = format!("radar_test_{}", Uuid::new_v4().simple());
        self.execute(&format!("CREATE DATABASE {name}")).await;
        self.url(&name)
    }

    /// Removes a database that [`Server::create_database`] made.
    pub async fn drop_database(&self, url: &str) {
        let name = url.trim_end_matches(&self.query).rsplit('/').next().expect("a name");
        self.execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
    }

    async fn execute(&self, statement: &str) {
        let connection = Database::connect(self.url(&self.first_database)).await.expect("the server answers");
        connection.execute_unprepared(statement).await.expect(statement);
        connection.close().await.expect("closed");
    }

    fn url(&self, database: &str) -> String {
        format!("{}/{database}{}", self.base_url, self.query)
    }

    fn find() -> Option<Self> {
        if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
            return Some(Self::given(&url));
        }
        let Some(programs) = programs() else {
            let is_required = std::env::var("REQUIRE_POSTGRES").is_ok_and(|value| value == "1");
            assert!(!is_required, "PostgreSQL is not installed, and REQUIRE_POSTGRES=1 demands it");
            let mut terminal = std::io::stderr();
            writeln!(terminal, "\n*** PostgreSQL is not installed: ITS TESTS DO NOT RUN. See .ci/run. ***\n")
                .expect("standard error");
            return None;
        };
        Some(Self::start(&programs))
    }

    /// A server that somebody else keeps.
    pub fn given(url: &str) -> Self {
        let (address, query) =
            url.split_once('?').map_or((url, String::new()), |(left, right)| (left, format!("?{right}")));
        let (base_url, first_database) = address.rsplit_once('/').expect("TEST_POSTGRES_URL names a database");
        Self { base_url: base_url.to_owned(), query, first_database: first_database.to_owned(), _cluster: None }
    }

    fn start(programs: &Path) -> Self {
        let cluster = Cluster::start(programs);
        let server = Self::given(&cluster.url());
        Self { _cluster: Some(cluster), ..server }
    }
}

impl Cluster {
    /// Sets a cluster up; blocks until it answers.
    pub fn start(programs: &Path) -> Self {
        Self::start_with(programs, |_| Vec::new())
    }

    /// The same, with further variables for the server, which may depend on where its data are.
    pub fn start_with(programs: &Path, variables: impl FnOnce(&Path) -> Vec<(String, String)>) -> Self {
        let folder = tempfile::Builder::new().prefix("radar-postgres-").tempdir().expect("a folder").keep();
        let port = free_port();
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "keeper"]).arg(programs).arg(&folder).arg(port.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        command.envs(variables(&folder.canonicalize().expect("a path").join("data")));
        let temporary_files = std::fs::metadata(&folder).expect("metadata");
        if std::os::unix::fs::MetadataExt::uid(&temporary_files) == 0 {
            let (uid, gid) = other_user();
            chown(&folder, Some(uid), Some(gid)).expect("handed over");
            command.uid(uid).gid(gid);
        }
        let mut process = command.spawn().expect("a shell");
        let lines = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut cluster = Self { process, lines, port };
        cluster.wait();
        cluster
    }

    /// The address of the database that is there from the beginning.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Waits until the script has run.
    pub fn wait(&mut self) {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        assert_eq!(line.trim(), "done", "PostgreSQL does not obey; its words are above");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // The script cleans up by itself; waiting for it leaves nothing behind.
        drop(self.process.wait());
    }
}

/// The folder with `initdb` and `pg_ctl`: from `PATH`, else the newest that Debian's packages have put aside.
pub fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let from_path = std::env::split_paths(&path).collect::<Vec<_>>();
    let mut packaged: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect();
    packaged.sort();
    from_path
        .into_iter()
        .chain(packaged.into_iter().rev())
        .find(|folder| ["initdb", "pg_ctl"].iter().all(|program| folder.join(program).is_file()))
}

fn other_user() -> (u32, u32) {
    let users = std::fs::read_to_string("/etc/passwd").expect("/etc/passwd");
    let ids = USERS.iter().find_map(|wanted| {
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            let is_wanted = fields.next() == Some(wanted);
            let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
            is_wanted.then_some((uid, gid))
        })
    });
    ids.expect("a user other than root")
}
