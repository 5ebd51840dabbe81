import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Language } from '../../../contracts/session.ts'
import { bubblewrap, bubblewrapArgs, noMoreNamespaces, probeProgram } from './bubblewrap.ts'
import { findDeno } from './deno.ts'
import { permission, type Sandbox, none } from './sandbox.ts'

export type SandboxSettings = {
  /** Path of bwrap; looked for where systems put it by default. */
  bwrap?: string | undefined
  /** Where else to look for it. */
  paths?: readonly string[]
  /** Where to look for Deno instead of where its installers put it. */
  denoPaths?: readonly string[]
  /** Lets Python and bash run without a sandbox where there is no bubblewrap, and Node code under Node's permission model where there is no Deno either. */
  allowWeakSandbox: 'never' | 'node only' | 'always'
}
const usualPaths = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']
const probeMs = 5000

/** Looks once what this machine can do, by doing it; then tells the sandbox for each language, or undefined when there is none. */
export function createSandboxes(settings: SandboxSettings): (language: Language) => Promise<Sandbox | undefined> {
  let forAll: Promise<Sandbox | undefined> | undefined
  let forNode: Promise<Sandbox | undefined> | undefined
  const strong = async (language: Language) =>
    (await (forAll ??= findBubblewrap(settings))) ??
    (language === 'node' ? (forNode ??= findDeno(settings.denoPaths)) : undefined)
  return async (language) => (await strong(language)) ?? weakest(language, settings)
}

function weakest(language: Language, { allowWeakSandbox }: SandboxSettings): Sandbox | undefined {
  if (language === 'node') return allowWeakSandbox === 'never' ? undefined : permission
  return allowWeakSandbox === 'always' ? none : undefined
}

async function findBubblewrap({ bwrap, paths: places = usualPaths }: SandboxSettings): Promise<Sandbox | undefined> {
  const file = [bwrap, ...places].find((each) => each !== undefined && existsSync(each))
  if (process.platform !== 'linux' || file === undefined) return undefined
  for (const extra of [noMoreNamespaces, []]) if (await works(file, extra)) return bubblewrap(file, extra)
  return undefined
}

/** Many containers have the program and refuse its namespaces. */
function works(file: string, extra: readonly string[]): Promise<boolean> {
  const { reads, file: shell, args } = probeProgram
  return new Promise((resolve) => {
    execFile(
      file,
      [...bubblewrapArgs(reads, extra), shell, ...args],
      { timeout: probeMs, killSignal: 'SIGKILL', env: {} },
      (error) => resolve(error === null),
    )
  })
}
