import type { Browser } from 'playwright-core'
import { type Contestant, onLines } from './contestant.ts'
import { isScripted } from './pages.ts'

export const playwright: Contestant = {
  id: 'playwright',
  name: 'playwright-core 1.65.1',
  pages: 'new context',
  async open(browserPath) {
    const { chromium } = await import('playwright-core')
    const browser = await chromium.launch({ executablePath: browserPath, chromiumSandbox: process.getuid?.() !== 0 })
    return { run: onLines((url) => scrape(browser, url)), close: () => browser.close() }
  },
}

async function scrape(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'load' })
  if (isScripted(new URL(url).pathname)) await page.waitForSelector('#done', { state: 'attached' })
  const html = await page.content()
  await context.close()
  return html
}
