//! The frame of a page: its head, its list of sections, its style and its script.

use crate::plot::{Plot, PlotError};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page before it is text.
#[derive(Clone, Debug)]
pub struct Document {
    pub title: String,
    /// Text below the title.
    pub lead: Markup,
    pub sections: Vec<Section>,
    /// True if the page is served during a run: it then asks its server for news.
    pub is_live: bool,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// Anchor of the section.
    pub id: String,
    pub title: String,
    pub body: Markup,
}

/// Content policy: the page loads nothing, even if hostile text gets past the templates; a served
/// page may poll its server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'";

impl Section {
    /// A part with a title.
    pub fn new(id: &str, title: &str, body: Markup) -> Self {
        Self {
            id: id.to_string(),
            title: title.to_string(),
            body,
        }
    }
}

impl Document {
    /// The file.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content={ "homi " (env!("CARGO_PKG_VERSION")) };
                    title { (text(&self.title)) }
                    style { (PreEscaped(include_str!("style.css"))) }
                    @if self.is_live {
                        noscript { meta http-equiv="refresh" content="10"; }
                    }
                }
                body data-live[self.is_live] {
                    a.skip href="#content" { "Skip to the content" }
                    (self.navigation())
                    main #content tabindex="-1" {
                        header { h1 { (text(&self.title)) } (self.lead) }
                        @for section in &self.sections {
                            section #(section.id) aria-labelledby={ (section.id) "-title" } {
                                h2 id={ (section.id) "-title" } { (text(&section.title)) }
                                (section.body)
                            }
                        }
                        footer {
                            p { "Made by homi " (env!("CARGO_PKG_VERSION")) "." }
                        }
                    }
                    script { (PreEscaped(include_str!("script.js"))) }
                    @if self.is_live { script { (PreEscaped(include_str!("live.js"))) } }
                }
            }
        };
        page.into_string()
    }

    fn navigation(&self) -> Markup {
        html! {
            nav aria-label="Sections" {
                ul {
                    @for section in &self.sections {
                        li { a href={ "#" (section.id) } { (text(&section.title)) } }
                    }
                }
            }
        }
    }
}

/// A figure of a page; nothing where there is nothing to see.
///
/// # Errors
///
/// If it cannot be drawn.
pub fn figure(plot: &Plot) -> Result<Markup, PlotError> {
    if plot.is_empty() {
        return Ok(html! {});
    }
    let drawn = plot.svg_in_page()?;
    Ok(html! {
        figure #{ "figure-" (plot.name) } tabindex="0" role="group" aria-label=(plot.title) {
            (PreEscaped(drawn))
        }
    })
}

/// Text of a program, with what cannot be printed made visible.
pub fn text(text: &str) -> String {
    let visible = |letter: char| match letter {
        '\t' | '\n' => letter,
        // Unicode has pictures of them.
        '\0'..='\x1f' => char::from_u32(0x2400 + letter as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        // Characters that change the direction of text could disguise a line.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        letter => letter,
    };
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let hostile = "</script><script>alert(1)</script>\" onload='x' <!-- \u{202e}\0";
        let document = Document {
            title: hostile.to_string(),
            lead: html! { p title=(text(hostile)) { (text(hostile)) } },
            sections: vec![Section::new(
                "a",
                hostile,
                html! { pre { (text(hostile)) } },
            )],
            is_live: false,
        };
        let page = document.html();
        assert_eq!(page.matches("<script>").count(), 1, "{page}");
        assert!(!page.contains("<!--") && !page.contains('\0'));
        assert!(!page.contains('\u{202e}'));
        for loaded in ["src=", "url(", "@import", "http://", "https://"] {
            assert!(!page.contains(loaded), "{loaded}");
        }
    }
}
