//! The house rules as data, as far as clippy cannot check them: those are in `Cargo.toml` and `clippy.toml`.

/// What may not stand where.
pub struct Ban {
    /// Regular expression on code without comments and texts.
    pub pattern: &'static str,
    /// Where it is looked for: beginnings of paths.
    pub within: &'static [&'static str],
    /// Where it is allowed all the same: beginnings of paths.
    pub except: &'static [&'static str],
    /// What to do instead.
    pub instead: &'static str,
}

const EVERYWHERE: &[&str] = &["src/"];

/// Words and calls.
pub const BANS: &[Ban] = &[
    Ban {
        pattern: r"\b(actix_rt|rt)::time\b|\brun_(later|interval)\b|\bnotify_later\b",
        within: EVERYWHERE,
        except: &["src/clock/"],
        instead: "take clock::Clock: only src/clock reads the time or waits",
    },
    Ban {
        pattern: r"\btokio::time::(advance|error|interval\w*|pause|resume|sleep\w*|Duration|Instant|Interval|Sleep|self|\{)|\btokio::time;",
        within: EVERYWHERE,
        except: &["src/clock/"],
        instead: "take clock::Clock: only src/clock reads the time or waits",
    },
    Ban {
        pattern: r"\btokio::time::(timeout\w*|Timeout)",
        within: EVERYWHERE,
        except: &["src/clock/", "src/outbound/", "src/store/"],
        instead: "real time-outs belong to src/outbound and src/store, all other waiting to the clock",
    },
    Ban {
        pattern: r"\bstd::(env|fs|process|thread)\b|\bstd::net::(Tcp|Udp|ToSocket)|\bUuid::(new_v4|now_v7)\b",
        within: &["src/domain/"],
        except: &[],
        instead: "src/domain is pure: time, chance and the world arrive as arguments",
    },
    Ban {
        pattern: r"\bawc::(\{|Client|Connector|FrozenClient|SendClient|connect|ws)",
        within: EVERYWHERE,
        except: &["src/outbound/", "src/cli/"],
        instead: "what goes to the world goes through the guarded client of src/outbound",
    },
    Ban {
        pattern: r"\blet _ =",
        within: EVERYWHERE,
        except: &[],
        instead: "handle the value, or drop() it with a reason",
    },
    Ban {
        pattern: r"#!?\[allow\b",
        within: EVERYWHERE,
        except: &[],
        instead: "#[expect(.., reason = \"..\")], and only where unavoidable",
    },
];

/// Rooms that are crates of their own.
pub const CRATES: &[&str] = &[
    "actors", "clock", "config", "console", "domain", "outbound", "sources", "store", "telemetry", "webhooks", "wire",
];

/// Which crates and which other rooms of its own crate a room of the service may name; `app` may name everything. What a
/// room that is a crate may name stands in its `Cargo.toml`.
pub const ROOMS: &[(&str, &[&str])] = &[
    ("web", &["actors", "clock", "config", "domain", "outbound", "sources", "store", "webhooks", "wire"]),
    ("mcp", &["domain", "wire"]),
    ("api", &["actors", "clock", "config", "domain", "mail", "mcp", "sources", "store", "web", "webhooks", "wire"]),
    ("operator", &["actors", "clock", "config", "domain", "sources", "store", "traces", "web", "webhooks", "wire"]),
    (
        "cli",
        &["app", "clock", "config", "domain", "logging", "mcp", "outbound", "sources", "store", "webhooks", "wire"],
    ),
    ("logging", &["config", "traces"]),
    ("traces", &["telemetry"]),
    ("mail", &["clock", "config", "domain", "store", "wire"]),
];

/// Lines of a file without its tests.
pub const FILE_LINES_MAX: usize = 300;
/// Files of a room, beside its `mod.rs`.
pub const ROOM_FILES_MAX: usize = 15;
/// Lines of a function.
pub const FUNCTION_LINES_MAX: usize = 60;

/// Files that are longer, with the length that they may not grow beyond. This list may only shrink.
pub const LONG_FILES: &[(&str, usize)] = &[];

/// Functions that are longer, with the length that they may not grow beyond. This list may only shrink.
pub const LONG_FUNCTIONS: &[(&str, &str, usize)] = &[];
