//! How Chromium takes the page: that it complains of nothing, asks for nothing, and fits into
//! narrow windows. The pictures that it takes are for people to look at.
//!
//! In a frame, since its windows have a least width.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{
    BROWSERS, REQUIRE_BROWSER, browser, charts_for_documents,
    tests::{changes, recordings},
    write,
};
use crate::workspace::Workspace;

/// Names and widths of windows, in pixels.
const WIDTHS: [(&str, u32); 2] = [("desktop", 1280), ("phone", 390)];
/// Names of schemes of colours, and Chromium's numbers of them.
const SCHEMES: [(&str, u32); 2] = [("light", 1), ("dark", 0)];

#[test]
fn report_in_a_browser() {
    let Some(program) = browser() else {
        assert!(env::var_os(REQUIRE_BROWSER).is_none(), "no chromium, but it is required");
        println!("SKIPPED report in a browser: no chromium (tried {})", BROWSERS.join(", "));
        return;
    };
    let directory = Workspace::find().unwrap().target_directory().join("report-in-a-browser");
    let browser = Browser { program, directory: &directory };
    let report = write(&directory, &recordings(), Some(&changes())).unwrap();
    let page = fs::read_to_string(report.html).unwrap();
    browser.notices_what_is_loaded(&page);
    for (width_name, width) in WIDTHS {
        let height = browser.fits(&page, width);
        let pictures = SCHEMES.map(|(scheme_name, scheme)| {
            let name = format!("{width_name}-{scheme_name}.png");
            fs::read(browser.picture(&name, "report.html", width, height, scheme)).unwrap()
        });
        assert_ne!(pictures[0], pictures[1], "light and dark are the same");
    }
    for (name, svg) in charts_for_documents(&recordings()).unwrap() {
        let file = format!("{name}.svg");
        fs::write(directory.join(&file), svg).unwrap();
        let pictures = SCHEMES.map(|(scheme_name, scheme)| {
            let name = format!("{name}-{scheme_name}.png");
            fs::read(browser.picture(&name, &file, 900, 560, scheme)).unwrap()
        });
        assert_ne!(pictures[0], pictures[1], "light and dark are the same");
    }
}

struct Browser<'a> {
    program: &'a str,
    directory: &'a Path,
}

impl Browser<'_> {
    /// Loads a page, which the browser may not complain of, and gives what it prints.
    fn load(&self, url: &str, arguments: &[String]) -> String {
        let (printed, complaints) = self.try_to_load(url, arguments);
        assert!(complaints.is_empty(), "{complaints:#?}");
        printed
    }

    /// Also gives the browser's complaints of the page, such as one for each thing that the page's
    /// policy forbids to load.
    fn try_to_load(&self, url: &str, arguments: &[String]) -> (String, Vec<String>) {
        let profile = xshell::Shell::new().unwrap().create_temp_dir().unwrap();
        let output = Command::new(self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .args(["--enable-logging=stderr", "--v=0", "--allow-file-access-from-files"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .arg(url)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let complaints = errors.lines().filter(|line| line.contains(":CONSOLE"));
        let complaints = complaints.map(str::to_owned).collect();
        (String::from_utf8_lossy(&output.stdout).into_owned(), complaints)
    }

    /// The other tests would pass where nothing is ever complained of.
    fn notices_what_is_loaded(&self, page: &str) {
        let bad = page.replacen("<main>", "<main><img src='http://localhost/picture.png'>", 1);
        let path = self.directory.join("bad.html");
        fs::write(&path, bad).unwrap();
        let url = format!("file://{}", path.display());
        let (_, complaints) = self.try_to_load(&url, &["--dump-dom".to_owned()]);
        assert!(complaints.iter().any(|line| line.contains("picture.png")), "{complaints:?}");
    }

    /// Asserts that the page is no wider than a window, and gives its height.
    fn fits(&self, page: &str, width: u32) -> u32 {
        // Only this copy has a script, and may run it.
        let script = "<script>addEventListener('load', () => parent.postMessage([\
                      document.documentElement.scrollWidth, \
                      document.documentElement.scrollHeight].join(' '), '*'))</script></body>";
        let copy = page
            .replacen("default-src 'none';", "default-src 'none'; script-src 'unsafe-inline';", 1)
            .replacen("</body>", script, 1);
        fs::write(self.directory.join("measured.html"), copy).unwrap();
        let listener = "<p id=size></p><script>addEventListener('message', event => \
                        document.getElementById('size').textContent = event.data)</script>";
        let frame = self.frame("frame.html", "measured.html", width, 1000, listener);
        let dom = self.load(&frame, &["--dump-dom".to_owned()]);
        let (_, size) = dom.split_once("<p id=\"size\">").unwrap();
        let (size, _) = size.split_once('<').unwrap();
        let (found, height) = size.split_once(' ').unwrap_or_else(|| panic!("no size in {dom}"));
        assert!(found.parse::<u32>().unwrap() <= width, "{found} pixels wide in {width}");
        height.parse().unwrap()
    }

    /// Takes a picture of a file.
    fn picture(&self, name: &str, of: &str, width: u32, height: u32, scheme: u32) -> PathBuf {
        let path = self.directory.join(name);
        let frame = self.frame("picture.html", of, width, height, "");
        let arguments = [
            format!("--screenshot={}", path.display()),
            format!("--window-size={},{height}", width.max(500)),
            format!("--blink-settings=preferredColorScheme={scheme}"),
        ];
        self.load(&frame, &arguments);
        path
    }

    /// A page that shows another one in a frame of this size, with something before it.
    fn frame(&self, name: &str, shown: &str, width: u32, height: u32, before: &str) -> String {
        let path = self.directory.join(name);
        let html = format!(
            "<!DOCTYPE html><meta name=color-scheme content='light dark'>\
             <body style='margin: 0'>{before}<iframe src='{shown}' \
             style='border: 0; width: {width}px; height: {height}px'></iframe>"
        );
        fs::write(&path, html).unwrap();
        format!("file://{}", path.display())
    }
}
