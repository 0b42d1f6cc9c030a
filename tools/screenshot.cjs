// Signs in to the console at the first argument with the key that is the second, and leaves pictures in the folder that is the third.
const fs = require("node:fs");
const { chromium } = require("playwright-core");

const [url, key, folder] = process.argv.slice(2);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(fs.existsSync);

async function main() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1100, height: 530 }, colorScheme: "light" });
  await page.goto(url);
  await page.getByLabel("The operator's key").fill(key);
  await page.keyboard.press("Enter");
  await page.waitForURL(url);
  await page.screenshot({ path: `${folder}/console.png` });
  await browser.close();
}

main();
