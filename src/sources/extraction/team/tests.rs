use url::Url;

use super::{TeamPage, person_key};

fn team(html: &str) -> Vec<(String, String, String)> {
    let url = Url::parse("https://acme.example/team").unwrap();
    let members = TeamPage::read(html.as_bytes(), Some("text/html; charset=utf-8"), &url).members;
    let profile = |url: Option<Url>| url.map(String::from).unwrap_or_default();
    members.into_iter().map(|member| (member.name.full, member.title, profile(member.profile_url))).collect()
}

fn row(name: &str, title: &str, profile: &str) -> (String, String, String) {
    (name.to_owned(), title.to_owned(), profile.to_owned())
}

#[test]
fn people_are_read_from_json_ld() {
    let html = r#"<script type="application/ld+json">{"@type":"AboutPage","mainEntity":{"@type":"Organization","name":"Acme","employee":[
        {"@type":"Person","name":"Dr. Ada Byron","jobTitle":"Chief Executive Officer","sameAs":["https://x.com/ada","https://www.linkedin.com/in/ada"]},
        {"@type":["Person"],"name":"Ola Nordmann","jobTitle":"Head of Sales","url":"/team/ola"},
        {"@type":"Person","name":"Kim Stone","jobTitle":"Software Engineer"},
        {"@type":"Person","name":"Kim Stone","jobTitle":"Software Engineer"},
        {"@type":"Person","name":"Without Title"}]},
        "review":{"author":{"@type":"Person","name":"Happy Client","jobTitle":"Chief Marketing Officer"}}}</script>"#;
    let wanted = [
        row("Ada Byron", "Chief Executive Officer", "https://www.linkedin.com/in/ada"),
        row("Ola Nordmann", "Head of Sales", "https://acme.example/team/ola"),
        row("Kim Stone", "Software Engineer", ""),
    ];
    assert_eq!(team(html), wanted);
}

#[test]
fn people_are_read_from_blocks_that_repeat() {
    let card = |name: &str, title: &str, more: &str| {
        format!("<div class='card x1'><img src=a.png><h3 class=name>{name}</h3><p class=role>{title}</p>{more}</div>")
    };
    let linked = "<p>She builds pumps. Sales grew.</p><a href='https://www.linkedin.com/in/ada-byron/'>in</a>";
    let html = [
        card("Ada Byron", "Chief Executive Officer", linked),
        card("<a href='/team/mary'>Mary Shelley</a>", "VP of Sales", ""),
        card("James O'Neil", "Finance Manager", "<p>He likes <b>Robert Burns</b>, chief poet.</p>"),
        card("Linda de la Cruz", "Software Engineer", ""),
    ];
    let wanted = [
        row("Ada Byron", "Chief Executive Officer", "https://www.linkedin.com/in/ada-byron/"),
        row("Mary Shelley", "VP of Sales", "https://acme.example/team/mary"),
        row("James O'Neil", "Finance Manager", ""),
        row("Linda de la Cruz", "Software Engineer", ""),
    ];
    assert_eq!(team(&html.join("")), wanted);
    for (block, name) in [
        ("<li><span class=n>NAME</span> <span class=t>TITLE</span></li>", "spans"),
        ("<p><strong>NAME</strong><br>TITLE</p>", "a line below"),
        ("<li>NAME, TITLE</li>", "behind a comma"),
        ("<li>NAME – TITLE, Board member</li>", "behind a dash"),
        ("<div><h4>NAME</h4><em>she/her</em><p>TITLE</p></div>", "pronouns between"),
    ] {
        let people =
            [("Ada Byron", "CTO"), ("Mary Shelley", "Account Executive"), ("James Watt", "Engineering Manager")];
        let html: String =
            people.iter().map(|(name, title)| block.replace("NAME", name).replace("TITLE", title)).collect();
        let more = if block.contains("Board") { ", Board member" } else { "" };
        let wanted = people.map(|(name, title)| row(name, &format!("{title}{more}"), ""));
        assert_eq!(team(&format!("<main>{html}</main>")), wanted, "{name}");
    }
}

#[test]
fn people_are_read_whose_names_or_titles_are_in_no_list() {
    let card = |(name, title): (&str, &str)| {
        let profile = name.split(' ').next().unwrap_or_default().to_lowercase();
        format!(
            "<div><h3>{name}</h3><p class=role1>{title}</p><a href='https://www.linkedin.com/in/{profile}'>in</a></div>"
        )
    };
    let people = [
        ("Zyxa Qrobar", "Chief Executive Officer"),
        ("Wemba Tlunk", "Head of Sales"),
        ("Vorto Plimsa", "Software Engineer"),
        ("Juno Brakka", "Keeper of bees"),
    ];
    let wanted = people.map(|(name, title)| (name.to_owned(), title.to_owned()));
    let read = |html: &str| team(html).into_iter().map(|(name, title, _)| (name, title)).collect::<Vec<_>>();
    assert_eq!(read(&people.map(card).concat()), wanted);
    assert_eq!(read(&people.map(card).concat().replace("linkedin.com/in/", "acme.example/")), []);
    let employed = people.map(card).concat().replace("Keeper of bees", "University of Oslo");
    assert_eq!(read(&employed), wanted[..3]);
    let strange = |count: usize| {
        let strangers = [("Ugra Vento", "Keeper of bees"), ("Sibo Marna", "Keeper of bees")].into_iter().cycle();
        let strangers = strangers.take(count).enumerate().map(|(number, (name, title))| {
            card((&format!("{name}{}", ["a", "b", "c", "d", "e", "f", "g"][number]), title))
        });
        people[..3].iter().copied().map(card).chain(strangers).collect::<String>()
    };
    assert_eq!((read(&strange(6)).len(), read(&strange(7)).len()), (9, 3), "a third is known, and less");
    // Two are a team by their titles and as people.
    let two = people[1..].iter().copied().map(card).collect::<String>();
    assert_eq!(read(&two), wanted[1..3]);
    assert_eq!(read(&two.replace("linkedin.com/in/", "acme.example/")), []);
}

#[test]
fn what_stands_with_a_name_tells_that_it_is_a_persons() {
    let people = [("Zyxa", "Qrobar"), ("Wemba", "Tlunk"), ("Vorto", "Plimsa")];
    for (block, is_team) in [
        ("<h3>FIRST LAST</h3><p>Board Member</p>", false),
        ("<h3>Mr. FIRST LAST</h3><p>Board Member</p>", true),
        ("<h3>FIRST LAST</h3><p>Director, Acme Pumps Ltd.</p><a href='mailto:f.LAST@acme.example'>Mail</a>", true),
        ("<h3>FIRST LAST</h3><p>Director</p><a href='mailto:info@acme.example'>Mail</a>", false),
        ("<div class=our-leadership-card><h3>FIRST LAST</h3><p>Director</p></div>", true),
        ("<div class=our-services-card><h3>FIRST LAST</h3><p>Director</p></div>", false),
    ] {
        let html = people.map(|(first, last)| block.replace("FIRST", first).replace("LAST", last)).concat();
        assert_eq!(team(&html).len(), if is_team { people.len() } else { 0 }, "{block}");
    }
}

#[test]
fn a_name_may_be_bold_before_its_title_and_a_place_below_it() {
    let card = |name: &str, title: &str| format!("<div><p><strong>{name}</strong></p><p>{title}<br>Lyon</p></div>");
    let html = [
        card("Ada Byron", "Founder &amp; CEO"),
        card("Mary Shelley", "Head of Sales"),
        card("James Watt", "Senior Vice President<br>Engineering"),
    ];
    let wanted = [
        row("Ada Byron", "Founder & CEO", ""),
        row("Mary Shelley", "Head of Sales", ""),
        row("James Watt", "Senior Vice President Engineering", ""),
    ];
    assert_eq!(team(&html.concat()), wanted);
}

#[test]
fn a_title_is_that_of_the_name_with_which_it_stands() {
    let people = [("Ada Byron", "President"), ("Mary Shelley", "Treasurer"), ("James Watt", "Head of Sales")];
    for (block, around, name) in [
        (
            "<div><i class=role>TITLE</i><address><b>NAME</b> <a href='mailto:a@b.example'>Email</a></address></div>",
            "div",
            "a title before the name",
        ),
        ("<tr><td>TITLE</td><td>NAME</td><td>a@b.example</td></tr>", "table", "a row of a table"),
        ("<dt>TITLE</dt><dd>NAME</dd>", "dl", "a list of definitions"),
        (
            "<div class=x><div class='x y'><div class='x a'>NAME</div><div class='x b'>TITLE</div></div><div class='x c'>Builds pumps.</div></div>",
            "div",
            "classes that are all alike",
        ),
        ("<p>NAME, <em>TITLE</em></p>", "div", "a name in no element of its own"),
        ("<div><h3>NAME <span>(FCA)</span></h3><p>TITLE</p></div>", "div", "a degree in an element of its own"),
        ("<p><b>NAME, TITLE<br><i>Board member</i></b></p>", "div", "both before a break"),
        ("<div><h3>NAME, MD, FNP-BC</h3><p>TITLE</p></div>", "div", "degrees"),
        (
            "<div><p>NAME<br>TITLE<br>Floor 7<br><a href='mailto:a@b.example'>Email</a></p></div>",
            "div",
            "lines of one text",
        ),
        ("<div class=row><h4>NAME | <a><svg></svg></a></h4><p>TITLE</p></div>", "div", "a line behind the name"),
        (
            "<div class=team-box><h4 class=author-name>NAME</h4><p class=author-post>TITLE</p></div>",
            "div",
            "an author's classes",
        ),
        ("<div class=testimonial-text><b>NAME</b><p class=team-job>TITLE</p></div>", "div", "a customer's classes"),
    ] {
        let html: String =
            people.iter().map(|(name, title)| block.replace("NAME", name).replace("TITLE", title)).collect();
        let wanted = people.map(|(name, title)| (name.to_owned(), title.to_owned()));
        let read = team(&format!("<h2>The board</h2><{around}>{html}</{around}>"));
        let read: Vec<_> = read.into_iter().map(|(name, title, _)| (name, title)).collect();
        assert_eq!(read, wanted, "{name}");
    }
    // Names of one list may be written in several elements.
    let written = ["<p><strong>NAME</strong><br><em>TITLE</em></p>", "<p><b>NAME</b><br><i>TITLE</i></p>"];
    let headed = ["<h2>NAME</h2><p class=post>TITLE</p>", "<div><h3>NAME</h3><p class=post>TITLE</p></div>"];
    for blocks in [written, headed] {
        let more = [("Linda Stone", "Sales Manager"), ("Robert Burns", "Accountant")];
        let people = [people.as_slice(), &more].concat();
        let block = |(number, (name, title)): (usize, &(&str, &str))| {
            blocks[number.min(1)].replace("NAME", name).replace("TITLE", title)
        };
        let read = team(&people.iter().enumerate().map(block).collect::<String>());
        assert_eq!(read.len(), people.len(), "{blocks:?}");
    }
    // The title of the next is none of who has none that is known.
    let block = |(name, title): (&str, &str)| format!("<div><i>{title}</i><p>{name}</p></div>");
    let people = [people[0], ("Robert Burns", "Keeper of bees"), people[1], people[2]];
    let wanted = people.map(|(name, title)| row(name, title, ""));
    assert_eq!(team(&people.map(block).concat()), wanted);
}

#[test]
fn what_only_looks_like_a_team_is_none() {
    for (html, why) in [
        ("<ul><li><a>Career Coaching</a></li><li><a>Human Resources</a></li><li><a>Virtual Office</a></li><li><a>Talent Acquisition</a></li></ul>".to_owned(), "a menu"),
        (
            ["Ada Byron", "Mary Shelley", "James Watt"].map(|name| format!("<ul class='menu'><li><a>{name}</a></li><li><a>Sales Manager</a></li></ul>")).join(""),
            "menus of two",
        ),
        ("<h3>Ada Byron</h3><p>CEO</p>".to_owned(), "one person"),
        (
            ["Payroll Services", "Virtual Office", "Pump Rental", "Field Support"].map(|name| format!("<h3>{name}</h3><p>Sales, Marketing</p>")).join(""),
            "what is offered",
        ),
        (
            ["Ada Byron", "Mary Shelley", "James Watt"].map(|name| format!("<h3>{name}</h3><p>They said that Acme is the best. We buy again!</p>")).join(""),
            "voices of customers",
        ),
        (
            ["Ada Byron", "Mary Shelley", "James Watt"].map(|name| format!("<div class='testimonial-card'><h3>{name}</h3><p>CEO, Globex</p></div>")).join(""),
            "customers",
        ),
        (
            ["Ada Byron", "Mary Shelley", "James Watt"].map(|name| format!("<blockquote><p>Fine pumps!</p><cite>{name}</cite><p>CEO</p></blockquote>")).join(""),
            "quotations",
        ),
        (
            ["Ada Byron", "Mary Shelley", "James Watt"].map(|name| format!("<h3>{name}</h3><p>Partner at Globex Capital</p>")).join(""),
            "investors",
        ),
        (
            ["Ada B.", "Mary S.", "James W."].map(|name| format!("<h3>{name}</h3><p>Operations Manager, Globex</p>")).join(""),
            "voices with half a name",
        ),
        ("<html><title>404</title><h1>Not Found</h1></html>".to_owned(), "an error page"),
        (String::new(), "nothing"),
    ] {
        assert_eq!(team(&html), [], "{why}");
    }
}

#[test]
fn names_are_found_on_the_page_whether_or_not_a_title_is_read() {
    let html = "<h3>Ada Byron</h3><p>Keeper of bees</p><h3>Åsa Öberg</h3><p>CTO</p><footer>We thank James Watt for the kettle.</footer>";
    let page =
        TeamPage::read(html.as_bytes(), Some("text/html; charset=utf-8"), &Url::parse("https://a.example/").unwrap());
    assert!(page.members.is_empty());
    assert_eq!(page.names, ["ada byron", "asa oberg"]);
    for (key, wanted) in [("ada byron", true), ("james watt", true), ("da byron", false), ("mary shelley", false)] {
        assert_eq!(page.has_name(key), wanted, "{key}");
    }
}

#[test]
fn a_person_is_known_again_however_the_name_is_written() {
    let key = |name: &str| person_key(&super::person_name(name).unwrap());
    assert_eq!(key("Dr. Åsa Öberg-Lund"), key("Asa Oberg Lund"));
    assert_ne!(key("Ada Byron"), key("Ada Bryon"));
}
