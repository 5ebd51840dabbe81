import { desktopUserAgent } from '../emulation/agent.ts'
import type { FoundBrowser } from '../find/find.ts'
import { type LaunchOptions, openBrowser } from './launch.ts'
import type { Browser } from './types.ts'

/** Blocks popups in browsers that support it; other browsers' popups are closed as they open. */
export const noPopups = '--block-new-web-contents'

export type Launch = (found: FoundBrowser, options: LaunchOptions, signal?: AbortSignal) => Promise<Browser>

/**
 * Opens browsers whose User-Agent says Chrome from the start. It can be overridden for a page later, but not for its
 * workers: so a browser that turns out to say Headless is started once more with the right User-Agent.
 */
export function createLauncher(): Launch {
  const userAgents = new Map<string, string>()
  return async function launch(found, options, signal): Promise<Browser> {
    if (found.from === 'remote') return openBrowser(found, options, signal)
    const userAgent = userAgents.get(found.path)
    const browser = await openBrowser(found, { ...options, userAgent }, signal)
    if (userAgent !== undefined || !browser.version.userAgent.includes('Headless')) return browser
    userAgents.set(found.path, desktopUserAgent(browser.version.userAgent))
    await browser.close()
    return launch(found, options, signal)
  }
}

/** Whether the endpoint of a running browser is on this machine. */
export function isOnThisMachine(endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/\.$/, '')
  // The URL parser writes ::ffff:127.0.0.1 in hexadecimal.
  const isMapped = /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(host)
  return (
    /^(?:.+\.)?localhost$/.test(host) || host === '[::1]' || isMapped || /^(?:127(?:\.\d+){3}|0\.0\.0\.0)$/.test(host)
  )
}
