use url::Url;

use super::articles;
use crate::extraction::tree::Tree;

/// What a site writes for an article: its path, title and day.
type Shape = fn(&(String, String, String)) -> String;

fn found(url: &str, html: &str) -> Vec<(String, String, Option<String>)> {
    let tree = Tree::read(html).unwrap();
    let found = articles(&tree, &Url::parse(url).unwrap());
    let row = |article: super::Article| {
        (article.url.path().to_owned(), article.title, article.published_on.map(|day| day.to_string()))
    };
    found.into_iter().map(row).collect()
}

fn row(path: &str, title: &str, day: Option<&str>) -> (String, String, Option<String>) {
    (path.to_owned(), title.to_owned(), day.map(str::to_owned))
}

#[test]
fn articles_are_read_in_the_shapes_in_which_sites_list_them() {
    let wanted = [
        row("/blog/anvil-two", "Anvil Two is here", Some("2026-11-18")),
        row("/blog/hello", "Hello", Some("2026-10-01")),
    ];
    let card = |path: &str, title: &str, day: &str| (path.to_owned(), title.to_owned(), day.to_owned());
    let cards =
        [card("/blog/anvil-two", "Anvil Two is here", "18 Nov 2026"), card("/blog/hello", "Hello", "1 Oct 2026")];
    let shapes: [Shape; 7] = [
        |(path, title, day)| {
            format!(
                "<article><header><h2><a href='{path}'>{title}</a></h2></header><time>{day}</time><a href='{path}'>Read more</a></article>"
            )
        },
        |(path, title, day)| {
            format!(
                "<a class='card' href='{path}'><img><div>{day}</div><h3>{title}</h3><p>About it, in some words.</p></a>"
            )
        },
        |(path, title, day)| format!("<li><span>{day}</span> <a href='{path}'>{title}</a></li>"),
        |(path, title, day)| {
            format!(
                "<a href='{path}'><p class=top-title>{day}</p><div class=post-title>{title}</div><span>Read more</span></a>"
            )
        },
        |(path, title, day)| format!("<dt>{day}</dt><dd><a href='{path}'>{title}</a></dd>"),
        |(path, title, day)| format!("<tr><td>{day}</td><td><a href='{path}'>{title}</a></td></tr>"),
        |(path, title, day)| {
            format!("<div class=item><a href='{path}'><div class='post-title'>{title}</div><div>{day}</div></a></div>")
        },
    ];
    for (number, shape) in shapes.iter().enumerate() {
        let list: String = cards.iter().map(shape).collect();
        let page = format!(
            "<nav><a href='/blog/engineering'>Engineering</a></nav><main>{list}</main><footer><a href='/legal/terms-of-our-service'>Terms of our service</a></footer>"
        );
        assert_eq!(found("https://acme.example/blog", &page), wanted, "shape {number}");
    }
}

#[test]
fn menus_lists_and_pages_of_the_site_are_no_articles() {
    for html in [
        "<div class='main-menu'><a href='/news/anvils-for-everybody'><h3>Anvils</h3></a></div>",
        "<a href='/news/category/anvils'><h3>All about anvils</h3></a>",
        "<a href='/news/page/2'>Older news of the house</a>",
        "<a href='/news/2025'>2025</a>",
        "<a href='/news'>News</a><a href='/pricing'><h3>Our prices</h3></a>",
        "<a href='https://other.example/news/a-new-anvil'><h3>A new anvil</h3></a>",
        "<a href='/news/a-new-anvil.jpg'><h3>A new anvil</h3></a>",
        "<a href='/why-we-make-anvils'><h3>Why we make anvils</h3></a>",
        "<a href='/news/engineering'>Engineering</a>",
        "<div><p class='post-authors'><a href='/news/ada-byron'>Ada Byron</a></p><i>18 Nov 2026</i></div>",
    ] {
        assert_eq!(found("https://acme.example/news", html), [], "{html}");
    }
}

#[test]
fn articles_beside_the_list_are_taken_where_they_look_alike() {
    let html = "<div class=posts><div class=post><a href='/why-we-make-anvils'><h3>Why we make anvils</h3></a></div>\
                <div class=post><a href='/2026/11/anvils'><h3>Anvils</h3></a></div></div><p><a href='/all-of-our-tools'>All of our tools</a></p>";
    let wanted = [row("/why-we-make-anvils", "Why we make anvils", None), row("/2026/11/anvils", "Anvils", None)];
    assert_eq!(found("https://acme.example/news", html), wanted);
    assert_eq!(found("https://acme.example/news", &html.replace("'><h3>", "/index.html'><h3>")).len(), 2);
    let html = "<div><a href='?tx_news_pi1[news]=7'>A new anvil</a> 18.11.2026</div><div><a href='?id=8'>Another anvil</a> <i>1.10.2026</i></div>";
    let found = found("https://acme.example/news/", html);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn articles_are_read_under_the_addresses_that_they_have() {
    let item = |href: &str, title: &str, number: usize| {
        format!(
            "<article class='post-{number}'><a href='{href}'><img></a><h3><a href='{href}'>{title}</a></h3><p>1.10.2026</p></article>"
        )
    };
    let html =
        [item("/?p=12", "An anvil", 1), item("/?novedades=the-anvil-of-today", "The anvil of today", 2)].concat();
    let titles = |html: &str| -> Vec<String> {
        found("https://acme.example/novedades/", html).into_iter().map(|(_, title, _)| title).collect()
    };
    assert_eq!(titles(&html), ["An anvil", "The anvil of today"]);
    let html = [item("/files/2026/anvil-one.pdf", "Anvil One", 1), item("/files/2026/anvil-two.pdf", "Anvil Two", 2)];
    assert_eq!(titles(&html.concat()), ["Anvil One", "Anvil Two"]);
    assert_eq!(titles(&html.concat().replace("1.10.2026", "Brochure")), <[&str; 0]>::default(), "no day");
    let html = ["/topics/2026/11/the-anvil-of-today", "/topics/2026/10/an-anvil-in-town", "/topics/the-best-tools"];
    let html = html.map(|path| item(path, path, 1)).concat();
    assert_eq!(titles(&html), ["/topics/2026/11/the-anvil-of-today", "/topics/2026/10/an-anvil-in-town"]);
}

#[test]
fn the_title_is_that_of_the_article_and_not_of_what_is_around_it() {
    let wanted = [row("/blog/anvil-two", "Anvil Two", Some("2026-11-18"))];
    for html in [
        "<section><h2>Featured</h2><div><img><p>18 Nov 2026</p><h3>Anvil Two</h3><a href='/blog/anvil-two'>Read more</a></div></section>",
        "<main><p><a href='/blog/anvil-two'>See what is new</a></p><div><h2><a href='/blog/anvil-two'>Anvil Two</a></h2><i>18 Nov 2026</i></div></main>",
        "<div><h2><a href='/blog/anvil-two'>Anvil Two</a></h2><a href='/blog/anvil-two#comments'>7 comments</a> <i>18 Nov 2026</i></div>",
        "<a href='/blog/anvil-two'><div>18 Nov 2026</div><div class='Card_cardTitle__x1Y'>Anvil Two</div><p>About it, in words.</p></a>",
        "<main><li><h2>Anvil Two</h2><i>18 Nov 2026</i><div class='footer'><a href='/blog/anvil-two'>Read</a></div></li></main>",
        "<div class='wrap sidebar_right'><main><h2><a href='/blog/anvil-two'>Anvil Two</a></h2><i>18 Nov 2026</i></main></div>",
    ] {
        assert_eq!(found("https://acme.example/blog", html), wanted, "{html}");
    }
    let filler = "<p>Anvils and tools of all kinds, for everybody who has something to strike.</p>".repeat(5);
    let item = "<h2><a href='/blog/anvil-two'>Anvil Two</a></h2><i>18 Nov 2026</i>";
    let named = format!(
        "<div class='nav-padding'>{item}{filler}</div><div class='main-menu'><a href='/blog/menus-of-the-house'><h3>Menus</h3></a></div>"
    );
    assert_eq!(found("https://acme.example/blog", &named), wanted);
    let filtered = |filler: &str| format!("<div class='Filters_wrap__3'>{item}{filler}</div>");
    assert_eq!(found("https://acme.example/blog", &filtered(&filler)), wanted);
    assert_eq!(found("https://acme.example/blog", &filtered("")), [], "a filter");
}
