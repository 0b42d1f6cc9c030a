//! How much of what strangers write is read; the length of an address is bounded where addresses are joined.
//!
//! Each number is several times what the largest honest page holds: what goes beyond is a directory, or an attack.

/// Longer pages are not read.
pub const PAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Longer sitemaps are not read.
pub const SITEMAP_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Links of one page that are read.
pub const LINKS_MAX: usize = 5_000;
/// Frames, scripts and addresses in scripts of one page that are read.
pub const EMBEDS_MAX: usize = 5_000;
/// What a link says, in bytes.
pub const LINK_TEXT_BYTES_MAX: usize = 1_000;
/// Addresses of one sitemap that are read; the protocol allows no more.
pub const SITEMAP_ENTRIES_MAX: usize = 50_000;
/// How deep the elements of a sitemap stand; with every known extension they stand at five.
pub const SITEMAP_DEPTH_MAX: usize = 32;
/// How deep the elements of an XML answer stand; those of feeds and boards stand at ten.
pub const XML_DEPTH_MAX: usize = 64;
/// How deep the elements of a page stand before selectors look at it: deeper ones count as if they stood there.
pub const PAGE_DEPTH_MAX: usize = 256;
/// Elements of a page that selectors look at.
pub const ELEMENTS_MAX: usize = 200_000;
/// What these elements and their attributes may take in memory, about: a letter of an attribute takes a hundred.
pub const TREE_MEMORY_MAX: usize = 64 * 1024 * 1024;
/// Steps that the selectors of one page may take.
pub const SELECTOR_STEPS_MAX: usize = 20_000_000;
/// And of a short page: so many for each of its bytes, where rows that are not nested take a few.
pub const SELECTOR_STEPS_PER_BYTE: usize = 20;
/// However short it is.
pub const SELECTOR_STEPS_ANYWAY: usize = 10_000;
/// All addresses of one page or sitemap together, in bytes. They may be relative to a long one, so this is no matter of
/// how long the page is.
pub const ADDRESSES_BYTES_MAX: usize = 8 * 1024 * 1024;
/// What a packed answer unpacks to at most, in bytes; a quarter of an hour of the world's news is half of it.
pub const UNPACKED_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Columns of one record of separated values; interfaces of registers have a hundred.
pub const CSV_COLUMNS_MAX: usize = 1_000;
/// One record of separated values, in bytes; those of the world's news have hundreds of thousands.
pub const CSV_RECORD_BYTES_MAX: usize = 4 * 1024 * 1024;
/// What a JSON document may take in memory, about: an empty object of three bytes takes hundreds.
pub const JSON_MEMORY_MAX: usize = 128 * 1024 * 1024;
/// The same for all blocks of JSON-LD on one page.
pub const JSON_LD_MEMORY_MAX: usize = 64 * 1024 * 1024;
/// Items of one answer of a board that are read.
pub const ITEMS_MAX: usize = 20_000;
/// Postings on one page that are read.
pub const POSTINGS_MAX: usize = 5_000;
/// Titles and other texts of one line, in bytes; longer than any address, so that no address is cut to another.
pub const LINE_BYTES_MAX: usize = 4_096;
/// As much of a title, or of the source's words for its department, says what the work is, in bytes.
pub const TITLE_BYTES_MAX: usize = 500;
/// The texts of one item, markup and all, in which its target is looked for, in bytes: each of their words is held.
pub const MATCHED_BYTES_MAX: usize = 1024 * 1024;
/// The text in which a country is looked for, in bytes.
pub const PLACE_BYTES_MAX: usize = 500;
/// The source's own id of an item, in bytes; longer ones are none. They stand in an index, of whose rows PostgreSQL takes
/// 2,704 bytes.
pub const NATIVE_ID_BYTES_MAX: usize = 2_600;

/// What is kept of a message that may repeat what strangers wrote, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 500;

/// The beginning of `text`, at most `bytes_max` of it.
pub fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
