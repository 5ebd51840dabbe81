import type { Config } from '../../../app/config.ts'
import { envNameOf } from '../../../app/read-config.ts'
import { defaultLimits } from '../../../engine/code/execution.ts'
import type { Sandbox } from '../../../engine/code/sandbox/sandbox.ts'
import type { Finding } from '../../../contracts/ports.ts'

const sandboxTopic = 'Session code'
const installBoth =
  'Install bubblewrap ("apt-get install bubblewrap") or, for Node code only, Deno ("npm install deno" beside Gossamer).'

/** Which sandbox the code of sessions runs in, and what that keeps from it. Found by trying. */
export async function sandboxFinding(config: Config): Promise<Finding> {
  const { createSandboxes } = await import('../../../engine/code/sandbox/find.ts')
  const sandboxFor = createSandboxes({ allowWeakSandbox: 'never' })
  return describeSandbox((await sandboxFor('python')) ?? (await sandboxFor('node')), config)
}

/** `strong`: the best strong sandbox of the machine. */
export function describeSandbox(
  strong: Pick<Sandbox, 'name' | 'about'> | undefined,
  { unsandboxedCode }: Pick<Config, 'unsandboxedCode'>,
): Finding {
  const setting = `${envNameOf('unsandboxedCode')}=${unsandboxedCode}`
  const { maxMemoryBytes, maxProcesses } = defaultLimits
  const limits = `${maxMemoryBytes / 2 ** 20} MB and ${maxProcesses} processes`
  if (strong?.name === 'bubblewrap')
    return { topic: sandboxTopic, state: 'ok', says: `in bubblewrap, all languages: ${strong.about}; ${limits}` }
  const others = unsandboxedCode === 'always' ? `run without a sandbox (${setting})` : 'do not run'
  if (strong)
    return {
      topic: sandboxTopic,
      state: 'note',
      says: `in Deno, Node code only: ${strong.about}; ${limits}. Python and bash ${others}`,
      advice: 'For Python and bash install bubblewrap ("apt-get install bubblewrap").',
    }
  const without = {
    never: `no strong sandbox, so no code runs (${setting})`,
    local:
      'no strong sandbox: only Node code runs, over stdio and from the command line, its network removed in JavaScript',
    always: `no strong sandbox: code of every caller may use the files and the network of this machine (${setting})`,
  }
  return { topic: sandboxTopic, state: 'note', says: without[unsandboxedCode], advice: installBoth }
}
