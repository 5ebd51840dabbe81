import { readdirSync, readFileSync } from 'node:fs'
import { findBrowser, type LocalBrowser, type BrowserKind } from '../../../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../../../src/engine/browser/find/machine-probes.ts'
import { browserFolder } from '../../helpers/program.ts'
import { openBrowser, type LaunchOptions } from '../../../src/engine/browser/launch/launcher.ts'

/** A browser of this machine, otherwise that of the npm package. */
export async function browserHere(kind: BrowserKind = 'shell'): Promise<LocalBrowser> {
  const found = await findBrowser(kind, {}, machineProbes(browserFolder))
  if (found.from === 'remote') throw new Error('A remote browser was found.')
  return found
}

export const quiet: LaunchOptions['log'] = { debug() {}, info() {}, warn() {}, error() {} }

export const openHere = async (options: Partial<LaunchOptions> = {}, kind: BrowserKind = 'shell') =>
  openBrowser(await browserHere(kind), { log: quiet, ...options })

/** Ids of the processes whose command line contains the text. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(text))
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until a condition holds; the time limit of the test applies. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 20))
}
