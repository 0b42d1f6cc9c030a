//! The hostile cases: what a host answers, as bytes on the wire.

/// One case.
pub struct Case {
    pub name: &'static str,
    pub means: Means,
}

/// By what the service is attacked.
#[derive(Clone, Copy)]
pub enum Means {
    /// A site that a radar watches.
    Site(fn(&str) -> Answer),
    /// A receiver of webhooks.
    Receiver(fn(&str) -> Answer),
    /// Readers of the API who never read.
    Reader,
}

/// What the host sends.
pub enum Answer {
    /// A whole page.
    Page(String),
    /// Nothing there.
    Missing,
    /// A beginning, then the same again and again.
    Endless(&'static str, String),
    /// A beginning, then a letter now and then.
    Drip(&'static str),
}

const MIB: usize = 1024 * 1024;
const OK: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

const fn site(name: &'static str, answer: fn(&str) -> Answer) -> Case {
    Case { name, means: Means::Site(answer) }
}

const fn receiver(name: &'static str, answer: fn(&str) -> Answer) -> Case {
    Case { name, means: Means::Receiver(answer) }
}

pub const CASES: &[Case] = &[
    site("tags that close nothing", |path| page(path, repeated("<div></x>", 4 * MIB))),
    site("tags left open", |path| page(path, repeated("<div>", 4 * MIB))),
    site("formatting left open", |path| page(path, repeated("<font color=1><p>", 4 * MIB))),
    site("attributes", |path| page(path, format!("<a {}>x</a>", repeated("a=b ", 4 * MIB)))),
    site("a long base", |path| {
        let base = format!("<base href='https://a.example/{}'>", repeated("b", 400_000));
        page(path, base + &repeated("<iframe src=x></iframe>", 3 * MIB))
    }),
    site("a base just short enough", |path| {
        let base = format!("<base href='https://a.example/{}/'>", repeated("b", 2_000));
        page(path, base + &repeated("<a href=x>Jobs</a>", 4 * MIB - 4_096))
    }),
    site("links to boards", |path| {
        page(path, numbered(|number| format!("<a href='https://jobs.lever.co/c{number}'>x</a>")))
    }),
    site("links to careers pages", |path| {
        page(path, numbered(|number| format!("<a href='/careers/{number}'>Careers</a>")))
    }),
    site("a hostile description", |path| page(path, posting(&repeated("<div></x>", 3 * MIB)))),
    site("many postings", |path| {
        let one = r#"{"@type":"JobPosting","title":"Senior Engineer","jobLocation":"Oulu, Finland"},"#;
        page(path, format!("<script type=application/ld+json>[{}1]</script>", repeated(one, 3 * MIB)))
    }),
    site("small objects of JSON", |path| {
        page(path, format!("<script type=application/ld+json>[{}1]</script>", repeated("{\"a\":{}},", 3 * MIB)))
    }),
    site("addresses in scripts", |path| {
        page(path, format!("<script>'{}'</script>", repeated("https://a.example ", 4 * MIB - 64)))
    }),
    site("references to characters", |path| page(path, repeated("&lt;p&gt;&amp;", 4 * MIB))),
    site("rules of robots.txt", |path| robots(path, repeated("Disallow: /*a*b$\n", 499 * 1024))),
    site("a robots.txt without end", |path| {
        if is_robots(path) { Answer::Endless(OK_OPEN, repeated("Disallow: /*a*b$\n", 4_096)) } else { Answer::Missing }
    }),
    site("namespaces of a sitemap", |path| {
        let namespaces: String = (0..1_000).map(|number| format!(" xmlns:n{number}='u{number}'")).collect();
        sitemap(path, format!("<urlset{namespaces}>{}</urlset>", repeated("<b xmlns:z=\"u\"/>", 4 * MIB)))
    }),
    site("attributes of a sitemap", |path| {
        let attributes: String = (0..200_000).map(|number| format!(" a{number}='b'")).collect();
        sitemap(path, format!("<urlset{attributes}></urlset>"))
    }),
    site("entries of a sitemap", |path| {
        sitemap(path, format!("<urlset>{}</urlset>", repeated("<url><loc>/jobs/1x</loc></url>", 8 * MIB - 64)))
    }),
    site("chunk extensions without end", |_| Answer::Endless(CHUNKED_OPEN, repeated("x", 4_096))),
    site("tiny chunks without end", |_| Answer::Endless(CHUNKED, repeated("1\r\nx\r\n", 4_096))),
    site("headers without end", |_| Answer::Endless("HTTP/1.1 200 OK\r\n", repeated("a: b\r\n", 4_096))),
    site("a page that drips", |_| Answer::Drip("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n")),
    receiver("a receiver without end", |_| Answer::Endless(CHUNKED_OPEN, repeated("x", 4_096))),
    receiver("a receiver that drips", |_| Answer::Drip("HTTP/1.1 200 OK\r\n")),
    Case { name: "readers that never read", means: Means::Reader },
];

const OK_OPEN: &str = "HTTP/1.0 200 OK\r\n\r\nUser-agent: *\n";
const CHUNKED_OPEN: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;";

fn repeated(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len())
}

fn numbered(one: impl Fn(usize) -> String) -> String {
    (0..50_000).map(one).collect()
}

fn posting(description: &str) -> String {
    let posting = serde_json::json!({"@type": "JobPosting", "title": "Mason", "description": description});
    format!("<script type=application/ld+json>{posting}</script>")
}

fn is_robots(path: &str) -> bool {
    path.ends_with("/robots.txt")
}

fn whole(body: String) -> Answer {
    Answer::Page(format!("{OK}Content-Length: {}\r\n\r\n{body}", body.len()))
}

/// The page everywhere but at robots.txt.
fn page(path: &str, body: String) -> Answer {
    if is_robots(path) { Answer::Missing } else { whole(body) }
}

fn robots(path: &str, rules: String) -> Answer {
    if is_robots(path) { whole(format!("User-agent: *\n{rules}")) } else { Answer::Missing }
}

fn sitemap(path: &str, xml: String) -> Answer {
    if path.ends_with("/sitemap.xml") { whole(xml) } else { Answer::Missing }
}
