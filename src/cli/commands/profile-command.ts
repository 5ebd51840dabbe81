import { chmod, readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { localTeam } from '../../app/app.ts'
import { ProfileState } from '../../contracts/profile-state.ts'
import {
  createProfileStore,
  type ListedProfile,
  type ProfileStore,
} from '../../engine/browser/profile/profile-store.ts'
import { AppError } from '../../kernel/error.ts'
import { answer, type Command, type CommandContext, UsageError } from '../command.ts'
import { harmless } from '../terminal-io.ts'
import { usageError } from '../usage/syntax.ts'
import { errorText } from './call-command.ts'
import { browserFolder } from '../../app/wiring/open-browser.ts'
import { findBrowser, hasDisplay, hasWindows, type LocalBrowser } from '../../engine/browser/find/find-browser.ts'
import { machineProbes } from '../../engine/browser/find/machine-probes.ts'
import { openBrowser } from '../../engine/browser/launch/launcher.ts'
import { logInByWindow } from '../../engine/browser/profile/login-window.ts'

type Words = { name: string; more: string | undefined }
type Verb = (store: ProfileStore, words: Words, context: CommandContext) => Promise<number>

const verbs: Record<string, Verb> = {
  show: async (store, { name }, context) => {
    context.terminal.out(`${harmless(JSON.stringify(await store.show(teamOf(context), name), null, 2))}\n`)
    return 0
  },
  delete: async (store, { name }, context) => {
    await store.delete(teamOf(context), name)
    return printResult(context, `The profile "${name}" is deleted.`)
  },
  import: async (store, { name, more: file }, context) => {
    if (file === undefined) throw usageError('profile', 'import')
    await store.import(teamOf(context), name, stateIn(await textOf(file), file))
    return printResult(context, `The profile "${name}" was imported from ${file}.`)
  },
  export: async (store, { name, more: file }, context) => {
    if (file === undefined) throw usageError('profile', 'export')
    await writeFile(file, JSON.stringify(await store.export(teamOf(context), name)), { mode: 0o600 })
    await chmod(file, 0o600)
    return printResult(context, `The profile "${name}" was exported to ${file}. It contains cookies: keep it secret.`)
  },
  login: async (store, { name, more: url }, context) => {
    if (url === undefined || !/^https?:/.test(url) || !URL.canParse(url)) throw usageError('profile', 'login')
    return logIn(store, { teamId: teamOf(context), name, url }, context)
  },
}

/**
 * `gossamer profile …`: stored browser profiles of the local team, or of `--team`. Only `export` shows values of
 * cookies and storage.
 */
export const profileCommand: Command = async (context) => {
  const [verb = '', name, more] = context.words
  const { dataDir, profileKey } = context.config
  if (dataDir === 'memory') throw new UsageError('Profiles need a data folder, but dataDir is set to memory.')
  const store = createProfileStore({ dir: dataDir, key: profileKey, clock: { now: Date.now } })
  if (verb === 'list') {
    const rows = await store.list(teamOf(context))
    return answer(context, rows, rows.map(lineOf))
  }
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!run || name === undefined || name === '' || name.length > 128) throw usageError('profile')
  return run(store, { name, more }, context).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown
    context.terminal.err(errorText(thrown, context))
    return 1
  })
}

const teamOf = ({ flags }: CommandContext) => flags.team ?? localTeam.id

function printResult({ terminal }: CommandContext, text: string): number {
  terminal.err(`${harmless(text)}\n`)
  return 0
}

function lineOf(row: ListedProfile): string {
  if ('isBroken' in row) return harmless(`${row.name}\tcannot be read`)
  const savedAt = new Date(row.savedAt).toISOString().slice(0, 16).replace('T', ' ')
  return harmless(`${row.name}\tsaved ${savedAt}\t${row.bytes} bytes${row.isEncrypted ? '\tencrypted' : ''}`)
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as NodeJS.ErrnoException).code}`, { cause })
  }
}

function stateIn(text: string, file: string): ProfileState {
  try {
    return ProfileState.parse(JSON.parse(text))
  } catch (cause) {
    const places = cause instanceof z.ZodError ? cause.issues.slice(0, 3).map(({ path }) => path.join('.')) : []
    const where = places.length > 0 ? ` (at ${places.join(', ')})` : ''
    throw new UsageError(`${file} is not a storage state written by Playwright or "gossamer profile export"${where}.`, {
      cause,
    })
  }
}

/** Opens a browser for a person to log in, and saves the login in the profile. */
async function logIn(
  store: ProfileStore,
  { teamId, name, url }: { teamId: string; name: string; url: string },
  context: CommandContext,
): Promise<number> {
  const { terminal, log, signal } = context
  const browser = await browserWithWindow(context)
  const profile = await store.open(teamId, name, { saveChanges: true, by: 'gossamer profile login' })
  const enterKey = waitForEnter(process.stdin)
  try {
    const { connection, close } = await openBrowser(browser, { log, display: 'window' }, signal)
    try {
      terminal.err('Log in using the window that opens now. Then close it, or press Enter here.\n')
      const warnings = await logInByWindow({ connection, profile, url, done: enterKey.pressed }, signal)
      for (const warning of warnings) terminal.err(`${warning}\n`)
      terminal.err(`Saved. Scrape with {"profile": {"name": ${JSON.stringify(name)}}} to use it.\n`)
      return 0
    } finally {
      await close()
    }
  } finally {
    enterKey.stop()
    await profile.release()
  }
}

async function browserWithWindow({ config }: CommandContext): Promise<LocalBrowser> {
  const probes = machineProbes(browserFolder(config))
  const other =
    'Or log in on another machine, save the storage state with Playwright, and use "gossamer profile import".'
  if (!hasDisplay(probes.machine)) throw new UsageError(`This machine has no display to show a browser on. ${other}`)
  const browser = await findBrowser('full', { browserPath: config.browserPath }, probes)
  if (!hasWindows(browser))
    throw new UsageError(`Only a headless browser is installed. Install Chrome or Chromium. ${other}`)
  return browser
}

/** Waits for the Enter key. */
function waitForEnter(input: NodeJS.ReadStream): { pressed: Promise<void>; stop(): void } {
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
