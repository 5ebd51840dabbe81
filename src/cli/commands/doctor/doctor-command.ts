import type { App } from '../../../app/app.ts'
import type { Config } from '../../../app/config.ts'
import { browserFinding, searchFinding } from '../../../app/wiring/machine-port.ts'
import type { Finding } from '../../../contracts/ports.ts'
import type { Command, CommandContext } from '../../command.ts'
import { audiencesOf } from '../../../engine/account/oauth/oauth-settings.ts'
import { checkCluster } from './cluster-check.ts'
import { modelFindings } from './model-findings.ts'
import { storeFinding } from './store-finding.ts'
import type { Style } from '../../terminal-io.ts'
import { randomBytes } from 'node:crypto'
import { objectsPlace } from '../../../engine/store/data-places.ts'
import { envNameOf } from '../../../app/read-config.ts'
import { defaultLimits } from '../../../engine/code/execution.ts'
import type { Sandbox } from '../../../engine/code/sandbox/run-in-sandbox.ts'

const sandboxTopic = 'Session code'
const installBoth =
  'Install bubblewrap ("apt-get install bubblewrap") or, for Node code only, Deno ("npm install deno" beside Gossamer).'

/** Reports the sandbox for session code and its restrictions, found by running it. */
async function sandboxFinding(config: Config): Promise<Finding> {
  const { createSandboxes } = await import('../../../engine/code/sandbox/find-sandbox.ts')
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

/** Checks that the configured object store can store, return and delete a small object. */
async function objectFindings({ objectsUrl, userAgent }: Config): Promise<Finding[]> {
  if (objectsUrl === undefined) return []
  const topic = 'Object store'
  const place = objectsPlace(objectsUrl)
  const { openS3Objects } = await import('../../../engine/objects/s3-objects.ts')
  const objects = openS3Objects(objectsUrl, userAgent)
  const bytes = randomBytes(32)
  const key = `doctor/${bytes.toString('hex')}`
  const askedAt = performance.now()
  try {
    await objects.put(key, { bytes, mediaType: 'application/octet-stream' })
    const found = await objects.get(key, bytes.length)
    await objects.delete(key)
    if (!found || !bytes.equals(found)) throw new Error('It gave back something else than it was given.')
    const ms = Math.ceil(performance.now() - askedAt)
    return [{ topic, state: 'ok', says: `${place} takes, gives back and deletes an object in ${ms} ms` }]
  } catch (thrown) {
    return [
      {
        topic,
        state: 'fault',
        says: `${place}: ${reasonOf(thrown)}`,
        advice:
          'New files are kept in the database until it works; those that lie there cannot be read. Check GOSSAMER_OBJECTS_URL and AWS_ACCESS_KEY_ID.',
      },
    ]
  } finally {
    await objects.close()
  }
}

/** The error of the store or the network is more precise than the message for callers. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message
}

/**
 * `gossamer doctor`: checks this machine, or all servers, and explains how to fix problems. Exit code 1 if something
 * is broken.
 */
export const doctorCommand: Command = async (context) => {
  const { terminal, flags } = context
  const { findings, ...more } = flags.cluster ? await checkCluster(context) : { findings: await checkMachine(context) }
  if (flags.json || !terminal.isInteractive) terminal.out(`${JSON.stringify({ findings, ...more })}\n`)
  else for (const finding of findings) terminal.out(line(finding, terminal.style.out))
  return findings.some(({ state }) => state === 'fault') ? 1 : 0
}

async function checkMachine({ app, config, signal }: CommandContext): Promise<Finding[]> {
  return [
    node(),
    await storeFinding(app, config),
    ...(await objectFindings(config)),
    network(config),
    access(config),
    ...(await authorizationServer(app, config)),
    ...(await remote(config)),
    await browserFinding(config),
    await sandboxFinding(config),
    ...(await modelFindings({ app, config, signal })),
    await searchFinding(config),
  ]
}

const marks = { ok: ['green', 'ok  '], note: ['yellow', 'note'], fault: ['red', 'FAIL'] } as const
function line({ topic, state, says, advice }: Finding, style: Style): string {
  const [colour, mark] = marks[state]
  return `${style(colour, mark)}  ${style('bold', topic)}: ${says}\n${advice ? `      ${advice}\n` : ''}`
}

const node = (): Finding => ({ topic: 'Node', state: 'ok', says: `${process.versions.node} at ${process.execPath}` })

function network({ allowHosts }: Config): Finding {
  const topic = 'Network policy'
  if (allowHosts.includes('*'))
    return {
      topic,
      state: 'note',
      says: 'SSRF protection is off: private addresses may be scraped too',
      advice: 'Unless you trust every caller, list single hosts in GOSSAMER_ALLOW_HOSTS.',
    }
  if (allowHosts.length > 0) return { topic, state: 'ok', says: `public addresses and ${allowHosts.join(', ')}` }
  return {
    topic,
    state: 'ok',
    says: 'public addresses only',
    advice: 'To scrape a local site, set GOSSAMER_ALLOW_HOSTS, for example to localhost:3000.',
  }
}

function access({ host, apiKeys }: Config): Finding {
  const topic = 'HTTP access'
  return apiKeys.length > 0
    ? { topic, state: 'ok', says: `${apiKeys.length} API keys from the settings; stored keys: "gossamer keys list"` }
    : {
        topic,
        state: 'ok',
        says: `no key in the settings; "gossamer serve" on ${host} needs none while only this machine can reach it`,
        advice: 'Create a key with "gossamer keys add NAME".',
      }
}

async function authorizationServer({ accessTokens }: App, config: Config): Promise<Finding[]> {
  if (accessTokens === undefined) return []
  const topic = 'Authorization server'
  if (audiencesOf(config).length === 0)
    return [{ topic, state: 'fault', says: 'no audience is set', advice: 'Set GOSSAMER_PUBLIC_URL.' }]
  try {
    const { url, count } = await accessTokens.tryKeys()
    return [{ topic, state: 'ok', says: `keys read from ${url}: ${count}` }]
  } catch (cause) {
    const says = cause instanceof Error ? cause.message : String(cause)
    return [{ topic, state: 'fault', says, advice: 'Check GOSSAMER_OAUTH_ISSUER and GOSSAMER_OAUTH_JWKS_URL.' }]
  }
}

async function remote({ remoteUrl }: Config): Promise<Finding[]> {
  if (remoteUrl === undefined) return []
  const topic = 'Remote service'
  try {
    const { status } = await fetch(remoteUrl, { signal: AbortSignal.timeout(5000), redirect: 'manual' })
    return [{ topic, state: 'ok', says: `${new URL(remoteUrl).host} answers (status ${status})` }]
  } catch {
    return [
      {
        topic,
        state: 'fault',
        says: `${new URL(remoteUrl).host} does not answer`,
        advice: 'Check GOSSAMER_REMOTE_URL and the network.',
      },
    ]
  }
}
