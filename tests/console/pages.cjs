// Signs in and looks at every page: RADAR_OPERATOR_URL, RADAR_OPERATOR__KEY and RADAR_URL say where, the arguments which account
// and radar there are, where screenshots go, and which link leads to the portal.
const fs = require("node:fs");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [account, radar, shots, link] = process.argv.slice(2);
const base = process.env.RADAR_OPERATOR_URL;
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(fs.existsSync);

const pages = {
  overview: "/", radars: "/radars", radar: `/radars/${radar}`, accounts: "/accounts", account: `/accounts/${account}`,
  ledger: `/accounts/${account}/ledger`, spend: `/accounts/${account}/spend`, deliveries: "/deliveries", sources: "/sources", source: "/sources/greenhouse",
  approvals: "/findings", verified: "/ledger?verify=1", nodes: "/nodes", changes: "/changes", jobs: "/jobs", confirm: `/radars/deactivate?account=${account}`,
  clock: "/clock", missing: "/radars/00000000-0000-0000-0000-000000000009",
};

async function lookAt(page, url, name, complaints) {
  const answer = await page.goto(url);
  if (answer.status() !== (name.includes("missing") ? 404 : 200)) complaints.push(`${name}: is answered with ${answer.status()}`);
  await look(page, name, complaints);
}

async function look(page, name, complaints) {
  const found = await page.evaluate(async (axe) => {
    (0, eval)(axe);
    const { violations } = await window.axe.run();
    const root = document.scrollingElement;
    return {
      violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 3).join(" ")}`),
      tooWide: root.scrollWidth > root.clientWidth,
      // What scrolls must say so by being cut, and nothing else may stand out of its box.
      standsOut: [...document.querySelectorAll("main *")]
        .filter((box) => !box.closest(".wide, svg") && box.getBoundingClientRect().right > root.clientWidth + 1)
        .map((box) => box.outerHTML.slice(0, 80)),
    };
  }, axe);
  complaints.push(...found.violations.map((violation) => `${name}: ${violation}`));
  if (found.tooWide) complaints.push(`${name}: is wider than the window`);
  complaints.push(...found.standsOut.map((box) => `${name}: stands out of the window: ${box}`));
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

// The ways in which every page is looked at.
const views = [[1280, "light"], [390, "light"], [1280, "dark"], [390, "dark"]];

// A page of a new context that complains of errors and of requests to anywhere but `site`.
async function open(browser, site, [width, colorScheme], complaints, storageState) {
  // axe is a script, which the pages themselves do not permit.
  const context = await browser.newContext({ bypassCSP: true, viewport: { width, height: 800 }, colorScheme, storageState });
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(site)) complaints.push(`${page.url()} asks for ${request.url()}`);
  });
  return page;
}

async function signIn(page) {
  await page.goto(`${base}/`);
  await page.getByLabel("The operator's key").fill(process.env.RADAR_OPERATOR__KEY);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/`);
}

// With the policy in force the pages' own script runs, and loads a page again that has changed.
async function live(browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page);
  await page.goto(`${base}/findings`);
  await page.getByText("Live.").waitFor();
  const headers = { "x-operator-key": process.env.RADAR_OPERATOR__KEY };
  await context.request.patch(`${base}/operator/v1/accounts/${account}`, { headers, data: { approval: "manual" } });
  const content = { review_content: "Appears by itself" };
  const finding = { radar_id: radar, native_id: "live", source: "provider", content };
  await context.request.post(`${base}/operator/v1/findings`, { headers, data: finding });
  await page.getByText("Appears by itself").waitFor();
  await context.close();
}

async function lookAtConsole(browser, complaints) {
  for (const view of views) {
    const page = await open(browser, base, view, complaints);
    const suffix = view.join("-");
    await lookAt(page, `${base}/`, `sign-in-${suffix}`, complaints);
    await signIn(page);
    for (const [name, path] of Object.entries(pages)) {
      await lookAt(page, base + path, `${name}-${suffix}`, complaints);
    }
    await page.context().close();
  }
}

async function lookAtPortal(browser, complaints) {
  const site = new URL(link).origin;
  const first = await open(browser, site, views[0], complaints);
  await lookAt(first, link, "portal-link", complaints);
  await first.getByRole("button").click();
  await first.waitForURL(`${site}/portal`);
  const signedIn = await first.context().storageState();
  await first.goto(`${site}/portal/findings`);
  const finding = await first.locator(".timeline a").first().getAttribute("href");
  const delivery = finding.replace("findings", "deliveries");
  const places = {
    overview: "", radars: "/radars", radar: `/radars/${radar}`, findings: "/findings", deliveries: "/deliveries",
    spending: "/spending", keys: "/keys", missing: "/nothing", "signed-out": "/signed-out",
  };
  const paths = Object.entries(places).map(([name, path]) => [name, `/portal${path}`]);
  for (const view of views) {
    const page = await open(browser, site, view, complaints, signedIn);
    for (const [name, path] of [...paths, ["finding", finding], ["delivery", delivery]]) {
      await lookAt(page, site + path, `portal-${name}-${view.join("-")}`, complaints);
    }
    await page.context().close();
  }
}

async function main() {
  const leads = `--host-resolver-rules=MAP ${new URL(link).host} ${new URL(process.env.RADAR_URL).host}`;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", leads] });
  const complaints = [];
  await live(browser);
  await lookAtConsole(browser, complaints);
  await lookAtPortal(browser, complaints);
  await browser.close();
  complaints.forEach((complaint) => console.error(complaint));
  process.exit(complaints.length === 0 ? 0 : 1);
}

main();
