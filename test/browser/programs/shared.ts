import type { BrowserKind } from '../../../src/engine/browser/find/find-browser.ts'
import type { LaunchOptions } from '../../../src/engine/browser/launch/launcher.ts'
import type { Browser } from '../../../src/engine/browser/launch/process.ts'
import { openHere } from './machine.ts'
import { openRenderer, type Rendering } from './rendering.ts'

const browsers = new Map<string, Promise<Browser>>()

/**
 * Returns the browser of this process, which test files use one after another. Closing it only removes its tabs and
 * contexts, so it is like new for the next file. It exits with the process.
 */
export async function shareHere(
  options: Pick<LaunchOptions, 'more'> = {},
  kind: BrowserKind = 'shell',
): Promise<Browser> {
  const key = JSON.stringify([options, kind])
  const opening = browsers.get(key) ?? openHere({ windowSize: { width: 1280, height: 720 }, ...options }, kind)
  browsers.set(key, opening)
  const browser = await opening
  void browser.closed.then(() => browsers.get(key) === opening && browsers.delete(key))
  return { ...browser, close: () => empty(browser) }
}

async function empty({ connection: { browser } }: Browser): Promise<void> {
  const { browserContextIds } = await browser.send('Target.getBrowserContexts', {})
  for (const browserContextId of browserContextIds)
    await browser.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
  const { targetInfos } = await browser.send('Target.getTargets', {})
  for (const { type, targetId } of targetInfos)
    if (type === 'page') await browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  await browser.send('Storage.clearCookies', {})
}

let renderer: Promise<Rendering> | undefined

/** Returns the renderer of this process, for all sites of this machine and of `own.test`, `other.test` and `third.test`. */
export const sharedRenderer = (): Promise<Omit<Rendering, 'close'>> =>
  (renderer ??= openRenderer(
    [
      '127.0.0.1',
      ...['own', 'third', 'other', 'a.other', 'b.other', 'c.other', 'd.other'].map((name) => `${name}.test`),
    ],
    { maxPages: 8 },
  ))
