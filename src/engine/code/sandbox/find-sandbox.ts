import { existsSync } from 'node:fs'
import type { Language } from '../../../contracts/session-port.ts'
import { bubblewrap, noMoreNamespaces, probeProgram } from './bubblewrap.ts'
import { findDeno } from './deno.ts'
import { none, outputOf, permission, type Sandbox } from './run-in-sandbox.ts'

export type SandboxSettings = {
  /** Path of bwrap; by default the usual paths are searched. */
  bwrap?: string | undefined
  /** Other paths to search for bwrap. */
  paths?: readonly string[]
  /** Paths to search for Deno instead of its usual installation paths. */
  denoPaths?: readonly string[]
  /** `node only`: Node code may run under Node's permission model without bubblewrap and Deno. `always`: Python and bash may also run without any sandbox. */
  allowWeakSandbox: 'never' | 'node only' | 'always'
}
const usualPaths = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']
const probeMs = 5000

/** `any` includes a weak sandbox if the settings allow it. */
type Wanted = 'any' | 'strong'

/**
 * Detects, once and by starting them, which sandboxes work on this machine. Returns a function that resolves to the
 * best one for a language; undefined if there is none.
 */
export function createSandboxes(settings: SandboxSettings) {
  let forAll: Promise<Sandbox | undefined> | undefined
  let forNode: Promise<Sandbox | undefined> | undefined
  const strong = async (language: Language) =>
    (await (forAll ??= findBubblewrap(settings))) ??
    (language === 'node' ? (forNode ??= findDeno(settings.denoPaths)) : undefined)
  return async (language: Language, wanted: Wanted = 'any'): Promise<Sandbox | undefined> =>
    (await strong(language)) ?? (wanted === 'any' ? weakest(language, settings) : undefined)
}

function weakest(language: Language, { allowWeakSandbox }: SandboxSettings): Sandbox | undefined {
  if (language === 'node') return allowWeakSandbox === 'never' ? undefined : permission
  return allowWeakSandbox === 'always' ? none : undefined
}

async function findBubblewrap({ bwrap, paths: places = usualPaths }: SandboxSettings): Promise<Sandbox | undefined> {
  const file = [bwrap, ...places].find((each) => each !== undefined && existsSync(each))
  if (process.platform !== 'linux' || file === undefined) return undefined
  for (const extra of [noMoreNamespaces, []]) {
    const sandbox = bubblewrap(file, extra)
    // Many containers have the program but forbid its namespaces.
    if ((await outputOf(sandbox.command(probeProgram), probeMs)) !== undefined) return sandbox
  }
  return undefined
}
