import { browserFolder } from '../../../app/wiring/machine-port.ts'
import { findBrowser, type LocalBrowser, hasDisplay, hasWindows } from '../../../engine/browser/find/find-browser.ts'
import { machineProbes } from '../../../engine/browser/find/machine-probes.ts'
import { openBrowser } from '../../../engine/browser/launch/launcher.ts'
import { logInByWindow } from '../../../engine/browser/profile/login-window.ts'
import type { ProfileStore } from '../../../engine/browser/profile/profile-store.ts'
import { type CommandContext, UsageError } from '../../command.ts'

/** Opens a browser for a person to log in, and saves the login in the profile. */
export async function logIn(
  store: ProfileStore,
  { teamId, name, url }: { teamId: string; name: string; url: string },
  context: CommandContext,
): Promise<number> {
  const { terminal, log, signal } = context
  const found = await browserWithWindow(context)
  const profile = await store.open(teamId, name, { saveChanges: true, by: 'gossamer profile login' })
  const entered = enter(process.stdin)
  try {
    const { connection, close } = await openBrowser(found, { log, display: 'window' }, signal)
    try {
      terminal.err('Log in using the window that opens now. Then close it, or press Enter here.\n')
      const warnings = await logInByWindow({ connection, profile, url, done: entered.pressed }, signal)
      for (const warning of warnings) terminal.err(`${warning}\n`)
      terminal.err(`Saved. Scrape with {"profile": {"name": ${JSON.stringify(name)}}} to use it.\n`)
      return 0
    } finally {
      await close()
    }
  } finally {
    entered.stop()
    await profile.release()
  }
}

async function browserWithWindow({ config }: CommandContext): Promise<LocalBrowser> {
  const probes = machineProbes(browserFolder(config))
  const other =
    'Or log in on another machine, save the storage state with Playwright, and use "gossamer profile import".'
  if (!hasDisplay(probes.machine)) throw new UsageError(`This machine has no display to show a browser on. ${other}`)
  const found = await findBrowser('full', { browserPath: config.browserPath }, probes)
  if (!hasWindows(found))
    throw new UsageError(`Only a headless browser is installed. Install Chrome or Chromium. ${other}`)
  return found
}

function enter(input: NodeJS.ReadStream): { pressed: Promise<void>; stop(): void } {
  const { promise: pressed, resolve } = Promise.withResolvers<void>()
  // A closed stdin is not a confirmation.
  const read = () => resolve()
  input.once('data', read)
  return {
    pressed,
    stop: () => {
      input.off('data', read)
      input.pause()
    },
  }
}
