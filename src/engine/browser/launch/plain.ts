import { plainAgent } from '../emulation/agent.ts'
import type { FoundBrowser } from '../find/find.ts'
import { type LaunchOptions, openBrowser } from './launch.ts'
import type { Browser } from './types.ts'

/** For browsers that know it; the others' popups are closed as they open. */
export const noPopups = '--block-new-web-contents'

export type Launch = (found: FoundBrowser, options: LaunchOptions, signal?: AbortSignal) => Promise<Browser>

/**
 * Opens browsers that call themselves Chrome from the start. A page can be told another name later, its workers cannot:
 * so a browser that turns out to say Headless is started once more, with the name it should have.
 */
export function createPlainLaunch(): Launch {
  const agents = new Map<string, string>()
  return async function launch(found, options, signal): Promise<Browser> {
    if (found.from === 'remote') return openBrowser(found, options, signal)
    const userAgent = agents.get(found.path)
    const browser = await openBrowser(found, { ...options, userAgent }, signal)
    if (userAgent !== undefined || !browser.version.userAgent.includes('Headless')) return browser
    agents.set(found.path, plainAgent(browser.version.userAgent))
    await browser.close()
    return launch(found, options, signal)
  }
}

/** Whether a browser that runs already runs on this machine. */
export function isNear(endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/\.$/, '')
  // The URL parser writes ::ffff:127.0.0.1 in hexadecimal.
  const isMapped = /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(host)
  return (
    /^(?:.+\.)?localhost$/.test(host) || host === '[::1]' || isMapped || /^(?:127(?:\.\d+){3}|0\.0\.0\.0)$/.test(host)
  )
}
