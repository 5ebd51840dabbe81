import { browserFolder } from '../../app/wiring/open-browser.ts'
import { findBrowser, type FoundBrowser, type BrowserKind } from '../../engine/browser/find/find-browser.ts'
import { machineProbes } from '../../engine/browser/find/machine-probes.ts'
import { type Command, type CommandContext, answer } from '../command.ts'
import { usageError } from '../usage/syntax.ts'

/** `gossamer browser …`: installs a browser for this machine, or lists the browsers in use. */
export const browserCommand: Command = async (context) => {
  const [verb] = context.words
  if (verb === 'install') return install(context)
  if (verb === 'path') return path(context)
  throw usageError('browser')
}

async function install(context: CommandContext): Promise<number> {
  const { installBrowser } = await import('../../engine/browser/find/install.ts')
  const { config, terminal, log } = context
  const folder = browserFolder(config)
  const { did, path: installed } = await installBrowser({
    folder,
    probes: machineProbes(folder),
    isRoot: process.getuid?.() === 0,
    log: {
      warn: log.warn,
      info: (event, facts) => {
        log.info(event, facts)
        if (facts && 'step' in facts) terminal.err(`${String(facts.step)} …\n`)
      },
    },
  })
  terminal.err(`${did}\n`)
  return answer(context, { path: installed }, [installed])
}

async function path(context: CommandContext): Promise<number> {
  const { config } = context
  const probes = machineProbes(browserFolder(config))
  const find = async (kind: BrowserKind) => recordOf(await findBrowser(kind, config, probes))
  const pages = await find('shell')
  const enhanced = await find('full')
  return answer(context, { pages, enhanced }, [
    lineOf('pages', pages),
    lineOf('enhanced visits and login windows', enhanced),
  ])
}

/** Returns the facts to print. The endpoint of a remote browser is left out, because it may contain a key. */
const recordOf = (browser: FoundBrowser) =>
  browser.from === 'remote' ? { from: browser.from } : { from: browser.from, kind: browser.kind, path: browser.path }

const lineOf = (use: string, { from, path: place }: { from: string; path?: string }) =>
  `For ${use}: ${place ?? 'the remote browser at GOSSAMER_BROWSER_CDP_URL'}${place === undefined ? '' : ` (${sources[from]})`}`

const sources: Record<string, string> = {
  setting: 'set by GOSSAMER_BROWSER_PATH',
  playwright: "in Playwright's folder",
  installed: 'installed',
  path: 'on the PATH',
  npm: 'from npm',
}
