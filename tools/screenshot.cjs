// Goes through the situations of docs/operations.md as an operator would: each takes at most three clicks in the console and one
// command, which works, else this fails. Leaves a picture of each, and one of the overview, which the README shows. The
// arguments: the console of a running demo, the key to it, its data folder, the program, the folder of the pictures.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const { chromium } = require("playwright-core");
const sharp = require("sharp");

const [url, key, data, radar, folder] = process.argv.slice(2);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(fs.existsSync);
const CLICKS_MAX = 3;

const tall = { width: 1000, height: 640 };
const low = { width: 1000, height: 200 };
const customer = "Demo customer";
const refused = "Customer whose receiver refuses";
const poor = "Customer short of money";
const now = new Date();
const daysAgo = (days) => `${new Date(now - days * 86_400_000).toISOString().slice(0, 19)}Z`;
const month = now.toISOString().slice(0, 7);
const settings = { RADAR_DATABASE__URL: `sqlite://${data}/radar.db`, RADAR_OPERATOR__DATA_DIR: data };

// Where each begins is the overview. `steps` are an operator's in the console, `command` answers the same on the command line.
const situations = [
  {
    name: "update",
    steps: async (at) => at.find(await at.refusedUpdate()),
    command: async (at) => ["why", await at.refusedUpdate()],
  },
  {
    name: "radar",
    steps: async (at) => {
      await at.find("borealis");
      await at.click(at.page.getByRole("row", { name: "company_mentions" }).getByRole("link").first());
    },
    command: async (at) => ["why", await at.idOf("radars?domain=borealis-foods.com&radar_type=company_mentions", "radar_id")],
  },
  {
    name: "spend",
    steps: async (at) => {
      await at.link("Accounts");
      await at.link(customer);
      await at.link("What it was for");
    },
    command: () => ["admin", "spend", customer, month],
  },
  {
    name: "source",
    steps: (at) => at.link("sources are broken"),
    command: () => ["admin", "source", "list", "--failing"],
  },
  {
    name: "find",
    steps: (at) => at.find("acme"),
    command: () => ["admin", "radar", "list", "--domain", "acme*"],
  },
  {
    name: "actors",
    steps: async () => {},
    command: () => ["admin", "actors"],
    shows: "Actors",
  },
  {
    name: "again",
    steps: async (at) => {
      await at.link("Deliveries");
      await at.page.getByLabel("From").fill(daysAgo(2));
      await at.page.getByLabel("until").fill(daysAgo(0));
      await at.button("Count what failed");
      await at.click(at.page.locator("main button.grave"));
    },
    command: () => ["admin", "delivery", "recover", "--since", daysAgo(2), "--until", daysAgo(0), "--account", refused],
  },
  {
    name: "price",
    steps: async (at) => {
      await at.link("Accounts");
      await at.link(refused);
      await at.page.getByLabel("Type").fill("company_reviews");
      await at.page.getByLabel("Model").selectOption("update_based");
      await at.page.locator("#rate_usd").fill("0.02");
      await at.button("Set from now on");
    },
    command: () => ["admin", "price", "set", refused, "company_reviews", "--model", "update_based", "--rate", "0.02"],
    shows: "Prices in force",
  },
  {
    name: "key",
    steps: async (at) => {
      await at.link("Accounts");
      await at.link(refused);
      await at.button("New key");
    },
    command: () => ["admin", "key", "create", refused],
  },
  {
    name: "stop",
    steps: async (at) => {
      await at.link("Accounts");
      await at.link(poor);
      await at.button("Stop this account");
    },
    command: () => ["admin", "account", "set", poor, "--status", "inactive"],
  },
  {
    name: "changes",
    steps: async (at) => {
      await at.link("Changes");
      await at.page.getByLabel("Since").fill(daysAgo(1));
      await at.button("Look");
    },
    command: () => ["admin", "audit", "--since", daysAgo(1)],
  },
  {
    name: "asked",
    steps: async (at) => {
      await at.link("Accounts");
      await at.link(refused);
      await at.link("What was changed about it");
    },
    command: async (at) => ["admin", "audit", "--about", await at.account(refused)],
  },
  {
    name: "drain",
    steps: async (at) => {
      await at.link("Nodes");
      await at.button("Drain");
    },
    command: async (at) => ["admin", "node", "drain", await at.idOf("nodes", "node_id")],
  },
];

// The console as an operator has it open, who counts the clicks.
class Operator {
  constructor(page) {
    this.page = page;
  }

  async begin() {
    await this.page.goto(url);
    this.clicks = 0;
  }

  async click(place) {
    this.clicks += 1;
    await place.click();
    await this.page.waitForLoadState("networkidle");
  }

  link(name) {
    return this.click(this.page.getByRole("link", { name }).first());
  }

  button(name) {
    return this.click(this.page.getByRole("button", { name }).first());
  }

  async find(text) {
    await this.page.getByRole("textbox", { name: "Find" }).fill(text);
    await this.button("Find");
  }

  // A field of the first, or of another, that the operator API lists.
  async idOf(path, field, index = 0) {
    const answer = await this.page.request.get(`${url}operator/v1/${path}`, { headers: { "x-operator-key": key } });
    return (await answer.json()).data.at(index)[field];
  }

  // The oldest that waits: it has been tried.
  async refusedUpdate() {
    return this.idOf(`deliveries?state=pending&account_id=${await this.account(refused)}`, "update_id", -1);
  }

  account(name) {
    return this.idOf(`accounts?name=${encodeURIComponent(name)}`, "account_id");
  }

  // No higher than what there is to see.
  async picture(name, { width, height }) {
    await this.page.setViewportSize({ width, height });
    const end = await this.page.evaluate(() => Math.ceil(document.body.lastElementChild.getBoundingClientRect().bottom) + 16);
    const picture = await this.page.screenshot({ clip: { x: 0, y: 0, width, height: Math.min(height, end) } });
    await sharp(picture).png({ palette: true, colours: 48, effort: 10 }).toFile(`${folder}/${name}.png`);
  }
}

function run(args, also) {
  const env = { ...process.env, ...settings, ...also, RADAR_OPERATOR__KEY: key };
  const beside = ["admin", "why"].includes(args[0]) ? ["--url", url.replace(/\/$/, "")] : [];
  return execFileSync(radar, [args[0], ...beside, ...args.slice(1)], { env, encoding: "utf8" });
}

async function goThrough(operator, { name, steps, command, shows }) {
  await operator.begin();
  await steps(operator);
  if (operator.clicks > CLICKS_MAX) throw new Error(`${name} takes ${operator.clicks} clicks`);
  await operator.page.setViewportSize(tall);
  if (shows) await operator.page.getByRole("heading", { name: shows }).evaluate((box) => box.scrollIntoView());
  await operator.picture(`pictures/${name}`, tall);
  run(await command(operator));
}

// What a terminal shows of the two commands that have no page. The copy is put back beside the database that is served.
async function goThroughCopies(operator) {
  const restored = { RADAR_DATABASE__URL: `sqlite://${data}/restored.db` };
  const lines = [
    `$ radar backup radar-copy.db\n${run(["backup", `${data}/radar-copy.db`])}`,
    `$ radar restore radar-copy.db\n${run(["restore", `${data}/radar-copy.db`], restored)}`,
  ];
  await operator.page.goto("about:blank");
  const style = "body { background: #222; color: #eee; font: 15px monospace } pre { white-space: pre-wrap }";
  await operator.page.setContent(`<style>${style}</style><pre></pre>`);
  const text = lines.join("\n").replaceAll(`${data}/`, "");
  await operator.page.locator("pre").evaluate((box, text) => { box.textContent = text; }, text);
  await operator.picture("pictures/copy", low);
}

async function main() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: tall, colorScheme: "light" });
  const operator = new Operator(page);
  await operator.begin();
  await page.getByLabel("The operator's key").fill(key);
  await page.keyboard.press("Enter");
  await page.waitForURL(url);
  await operator.picture("console", { width: 1100, height: 530 });
  for (const situation of situations) await goThrough(operator, situation);
  await goThroughCopies(operator);
  await browser.close();
}

main();
