import { type App, localTeam } from '../../../app/app.ts'
import type { Config } from '../../../app/config.ts'
import { browserFinding } from '../../../app/wiring/open-browser.ts'
import { searchFinding } from '../../../app/wiring/open-search.ts'
import { type Finding, findingsOn } from '../../../contracts/ports.ts'
import { type Command, type CommandContext, answer } from '../../command.ts'
import { audiencesOf } from '../../../engine/account/oauth/oauth-settings.ts'
import { checkCluster } from './cluster-check.ts'
import { reasonOf, storeFinding } from './store-finding.ts'
import { forOperator, type Style } from '../../terminal-io.ts'
import { randomBytes } from 'node:crypto'
import { objectsPlace } from '../../../engine/store/data-places.ts'
import { envNameOf } from '../../../app/read-config.ts'
import { defaultLimits } from '../../../engine/code/execution.ts'
import type { Sandbox } from '../../../engine/code/sandbox/run-in-sandbox.ts'
import type { ModelRequest } from '../../../contracts/model-port.ts'
import { toAppError } from '../../../kernel/error.ts'
import { monthStart } from '../../../contracts/account-ports.ts'

const ofSandbox = findingsOn('Session code')
const installBoth =
  'Install bubblewrap ("apt-get install bubblewrap") or, for Node code only, Deno ("npm install deno" beside Gossamer).'

/** Reports the sandbox for session code and its restrictions, found by running it. */
async function sandboxFinding(config: Config): Promise<Finding> {
  const { createSandboxes } = await import('../../../engine/code/sandbox/find-sandbox.ts')
  const sandboxFor = createSandboxes({ allowWeakSandbox: 'never' })
  return describeSandbox((await sandboxFor('python')) ?? (await sandboxFor('node')), config)
}

/** Describes the sandbox for session code. `strong`: the best strong sandbox of the machine, if it has one. */
export function describeSandbox(
  strong: Pick<Sandbox, 'name' | 'about'> | undefined,
  { unsandboxedCode }: Pick<Config, 'unsandboxedCode'>,
): Finding {
  const setting = `${envNameOf('unsandboxedCode')}=${unsandboxedCode}`
  const { maxMemoryBytes, maxProcesses } = defaultLimits
  const limits = `${maxMemoryBytes / 2 ** 20} MB and ${maxProcesses} processes`
  if (strong?.name === 'bubblewrap') return ofSandbox.ok(`in bubblewrap, all languages: ${strong.about}; ${limits}`)
  const others = unsandboxedCode === 'always' ? `run without a sandbox (${setting})` : 'do not run'
  if (strong)
    return ofSandbox.note(
      `in Deno, Node code only: ${strong.about}; ${limits}. Python and bash ${others}`,
      'For Python and bash install bubblewrap ("apt-get install bubblewrap").',
    )
  const without = {
    never: `no strong sandbox, so no code runs (${setting})`,
    local:
      'no strong sandbox: only Node code runs, over stdio and from the command line, its network removed in JavaScript',
    always: `no strong sandbox: code of every caller may use the files and the network of this machine (${setting})`,
  }
  return ofSandbox.note(without[unsandboxedCode], installBoth)
}

/** Checks that the configured object store can store, return and delete a small object. */
async function objectFindings({ objectsUrl, userAgent }: Config): Promise<Finding[]> {
  if (objectsUrl === undefined) return []
  const { ok, fault } = findingsOn('Object store')
  const place = objectsPlace(objectsUrl)
  const { openS3Objects } = await import('../../../engine/objects/s3-objects.ts')
  const objects = openS3Objects(objectsUrl, userAgent)
  const bytes = randomBytes(32)
  const key = `doctor/${bytes.toString('hex')}`
  const startedAt = performance.now()
  try {
    await objects.put(key, { bytes, mediaType: 'application/octet-stream' })
    const stored = await objects.get(key, bytes.length)
    await objects.delete(key)
    if (!stored || !bytes.equals(stored)) throw new Error('It returned other bytes than were stored.')
    const ms = Math.ceil(performance.now() - startedAt)
    return [ok(`${place} stores, returns and deletes an object in ${ms} ms`)]
  } catch (thrown) {
    return [
      fault(
        `${place}: ${reasonOf(thrown)}`,
        'New files are stored in the database until it works; files in the object store cannot be read. Check GOSSAMER_OBJECTS_URL and AWS_ACCESS_KEY_ID.',
      ),
    ]
  } finally {
    await objects.close()
  }
}

/**
 * `gossamer doctor`: checks this machine, or all servers, and explains how to fix problems. Exit code 1 if something
 * is broken.
 */
export const doctorCommand: Command = async (context) => {
  const { terminal, flags } = context
  const report = flags.cluster ? await checkCluster(context) : { findings: await checkMachine(context) }
  const findings = report.findings.map(({ advice, ...finding }) => ({
    ...finding,
    ...(advice && { advice: forOperator(advice) }),
  }))
  answer(
    context,
    { ...report, findings },
    findings.map((finding) => line(finding, terminal.style.out)),
  )
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
  return `${style(colour, mark)}  ${style('bold', topic)}: ${says}${advice ? `\n      ${advice}` : ''}`
}

const node = () => findingsOn('Node').ok(`${process.versions.node} at ${process.execPath}`)

function network({ allowHosts }: Config): Finding {
  const { ok, note } = findingsOn('Network policy')
  if (allowHosts.includes('*'))
    return note(
      'SSRF protection is off: private addresses may be scraped too',
      'Unless you trust every caller, list single hosts in GOSSAMER_ALLOW_HOSTS.',
    )
  if (allowHosts.length > 0) return ok(`public addresses and ${allowHosts.join(', ')}`)
  return ok('public addresses only', 'To scrape a local site, set GOSSAMER_ALLOW_HOSTS, for example to localhost:3000.')
}

function access({ host, apiKeys }: Config): Finding {
  const { ok } = findingsOn('HTTP access')
  return apiKeys.length > 0
    ? ok(`${apiKeys.length} API keys from the settings; stored keys: "gossamer keys list"`)
    : ok(
        `no key in the settings; "gossamer serve" on ${host} needs none while only this machine can reach it`,
        'Create a key with "gossamer keys add NAME".',
      )
}

async function authorizationServer({ accessTokens }: App, config: Config): Promise<Finding[]> {
  if (accessTokens === undefined) return []
  const { ok, fault } = findingsOn('Authorization server')
  if (audiencesOf(config).length === 0) return [fault('no audience is set', 'Set GOSSAMER_PUBLIC_URL.')]
  try {
    const { url, count } = await accessTokens.tryKeys()
    return [ok(`keys read from ${url}: ${count}`)]
  } catch (cause) {
    const says = cause instanceof Error ? cause.message : String(cause)
    return [fault(says, 'Check GOSSAMER_OAUTH_ISSUER and GOSSAMER_OAUTH_JWKS_URL.')]
  }
}

async function remote({ remoteUrl }: Config): Promise<Finding[]> {
  if (remoteUrl === undefined) return []
  const { ok, fault } = findingsOn('Remote service')
  try {
    const { status } = await fetch(remoteUrl, { signal: AbortSignal.timeout(5000), redirect: 'manual' })
    return [ok(`${new URL(remoteUrl).host} answers (status ${status})`)]
  } catch {
    return [fault(`${new URL(remoteUrl).host} does not answer`, 'Check GOSSAMER_REMOTE_URL and the network.')]
  }
}

type Parts = Pick<CommandContext, 'app' | 'config' | 'signal'>
type Effort = ModelRequest['effort']

/** Sends one small request to each configured model, in the form that extraction uses. */
async function modelFindings(parts: Parts): Promise<Finding[]> {
  const { config } = parts
  if (config.remoteUrl !== undefined) return [ofModel.ok('used by the remote service')]
  if (config.model === undefined) return [unset(config)]
  const efforts: Effort[] = config.fastModel === undefined ? ['best'] : ['best', 'fast']
  const findings: Finding[] = []
  for (const effort of efforts) findings.push(await tryOut(parts, effort))
  return [...findings, await spending(parts)]
}

const ofModel = findingsOn('Language model')

function unset(config: Config): Finding {
  const others = (['modelUrl', 'modelKey', 'fastModel'] as const).filter((key) => config[key] !== undefined)
  if (others.length > 0)
    return ofModel.note(
      `none, although ${others.map(envNameOf).join(' and ')} ${others.length === 1 ? 'is' : 'are'} set`,
      `Name the model in ${envNameOf('model')}.`,
    )
  return ofModel.note(
    'none is set',
    `Set ${envNameOf('model')} and, for a server of your own, ${envNameOf('modelUrl')}. docs/models.md has examples.`,
  )
}

const question = {
  task: 'doctor',
  teamId: localTeam.id,
  keyName: localTeam.key,
  system: 'You extract data from text.',
  input: [{ role: 'user', text: 'The sky is blue.' }],
  // Reasoning models need room for their thoughts.
  maxOutputTokens: 1000,
  timeoutMs: 60_000,
  schema: {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  },
} as const

async function tryOut({ app, config, signal }: Parts, effort: Effort): Promise<Finding> {
  const begin = performance.now()
  const host = new URL(config.modelUrl ?? '').host
  try {
    const { model, jsonMode, usage } = await app.model.object({ ...question, effort, signal })
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    const cost = `${usage.inputTokens} input and ${usage.outputTokens} output tokens`
    return ofModel.ok(`${model} at ${host} answers in ${seconds} s by ${jsonMode}, for ${cost}`)
  } catch (thrown) {
    const { message, hint } = toAppError(thrown)
    const name = effort === 'fast' ? config.fastModel : config.model
    return ofModel.fault(`${name} at ${host}: ${message}`, hint)
  }
}

/** Reports the usage of the model by all teams in this month. */
async function spending({ app }: Parts): Promise<Finding> {
  const { ok, note } = findingsOn('Model usage')
  try {
    const { usage } = await app.store()
    const months = (await usage.modelMonths({})).filter(({ start }) => start === monthStart(Date.now()))
    const sum = (key: 'calls' | 'inputTokens' | 'outputTokens') =>
      months.reduce((total, month) => total + month[key], 0)
    const tokens = `${sum('inputTokens')} input and ${sum('outputTokens')} output tokens`
    return ok(`calls this month: ${sum('calls')}, with ${tokens}`)
  } catch (thrown) {
    return note(toAppError(thrown).message)
  }
}
