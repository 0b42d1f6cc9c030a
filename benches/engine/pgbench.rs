//! PostgreSQL's own load generator, writing rows that are known in advance.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use sea_orm::Statement;
use tempfile::NamedTempFile;

use crate::support::postgres;

/// Transactions per second that `clients` commit, each its share of `transactions`; `None` where pgbench is not
/// installed. Their starts and connections do not count.
pub fn transactions_per_second(url: &str, transactions: &[Vec<Statement>], clients: usize) -> Option<f64> {
    let program = program()?;
    let scripts: Vec<NamedTempFile> = (0..clients).map(|client| script(transactions, client, clients)).collect();
    let running: Vec<Child> = scripts
        .iter()
        .map(|script| {
            let mut command = Command::new(&program);
            // Each runs its script once: to pgbench, all of it is one "transaction".
            command.args(["--no-vacuum", "--client=1", "--transactions=1", "--file"]).arg(script.path()).arg(url);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("pgbench")
        })
        .collect();
    let of_clients = running.into_iter().enumerate().map(|(client, process)| {
        let output = process.wait_with_output().expect("an end");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && printed.contains("actually processed: 1/1"), "{printed}");
        let scripts_per_second: Option<f64> =
            printed.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        scripts_per_second.expect("a rate") * share(transactions, client, clients).count() as f64
    });
    Some(of_clients.sum())
}

fn program() -> Option<PathBuf> {
    let beside_the_server = postgres::programs().map(|folder| folder.join("pgbench"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("pgbench"));
    beside_the_server.into_iter().chain(on_path).find(|program| program.is_file())
}

fn share(transactions: &[Vec<Statement>], client: usize, clients: usize) -> impl Iterator<Item = &Vec<Statement>> {
    transactions.iter().skip(client).step_by(clients)
}

fn script(transactions: &[Vec<Statement>], client: usize, clients: usize) -> NamedTempFile {
    let mut script = NamedTempFile::new().expect("a file");
    for statements in share(transactions, client, clients) {
        writeln!(script, "begin;").expect("written");
        for statement in statements {
            // With its values in it.
            writeln!(script, "{statement};").expect("written");
        }
        writeln!(script, "commit;").expect("written");
    }
    script
}
