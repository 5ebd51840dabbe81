import type { App } from '../../app/app.ts'
import type { Config } from '../../app/config.ts'
import { envNameOf } from '../../app/read-config.ts'
import { browserFolder } from '../../app/wiring/renderer.ts'
import { searchSources } from '../../contracts/search.ts'
import type { AppError } from '../../kernel/error.ts'
import type { Command } from '../command.ts'
import { type Finding, modelFindings } from './doctor-model.ts'
import type { Style } from '../terminal.ts'

/** `gossamer doctor`: what works on this machine, what does not, and what to do about it. Exit code 1 when something is broken. */
export const doctorCommand: Command = async ({ app, config, terminal, flags, signal }) => {
  const findings = [
    node(),
    await dataFolder(app),
    network(config),
    access(config),
    ...(await remote(config)),
    await browser(config),
    ...(await modelFindings({ app, config, signal })),
    await searchFinding(config),
  ]
  if (flags.json || !terminal.isInteractive) terminal.out(`${JSON.stringify({ findings })}\n`)
  else for (const finding of findings) terminal.out(line(finding, terminal.style.out))
  return findings.some(({ state }) => state === 'fault') ? 1 : 0
}

const marks = { ok: ['green', 'ok  '], note: ['yellow', 'note'], fault: ['red', 'FAIL'] } as const
function line({ topic, state, says, advice }: Finding, style: Style): string {
  const [colour, mark] = marks[state]
  return `${style(colour, mark)}  ${style('bold', topic)}: ${says}\n${advice ? `      ${advice}\n` : ''}`
}

const node = (): Finding => ({ topic: 'Node', state: 'ok', says: `${process.versions.node} at ${process.execPath}` })

async function dataFolder(app: App): Promise<Finding> {
  const topic = 'Data folder'
  try {
    const store = await app.store()
    await store.ready()
    const { kind, path, warning } = store.describe()
    if (warning !== undefined)
      return { topic, state: 'fault', says: warning, advice: 'Set GOSSAMER_DATA_DIR to a writable folder.' }
    if (await store.storage.isFull())
      return { topic, state: 'fault', says: `the disk of ${path} is full`, advice: 'Free some space there.' }
    return {
      topic,
      state: 'ok',
      says: kind === 'file' ? `${path} is readable and writable` : 'kept in memory only, as set',
    }
  } catch (cause) {
    return { topic, state: 'fault', says: String(cause), advice: 'Set GOSSAMER_DATA_DIR to a writable folder.' }
  }
}

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

async function browser(config: Config): Promise<Finding> {
  const topic = 'Browser'
  try {
    const [{ findBrowser }, { machineProbes }] = await Promise.all([
      import('../../engine/browser/find/find.ts'),
      import('../../engine/browser/find/machine.ts'),
    ])
    const found = await findBrowser('shell', config, machineProbes(browserFolder(config)))
    return {
      topic,
      state: 'ok',
      says: found.from === 'remote' ? 'a remote one (GOSSAMER_BROWSER_CDP_URL)' : found.path,
    }
  } catch (thrown) {
    const { message, hint } = thrown as AppError
    return {
      topic,
      state: 'note',
      says: `${message} Pages are fetched by plain HTTP only.`,
      ...(hint && { advice: hint }),
    }
  }
}

const steadier = `Set ${envNameOf('searxngUrl')}, or a key such as ${envNameOf('braveKey')} or ${envNameOf('tavilyKey')}, for reliable results.`

/** Who would be asked for what, and what would make search better. Nobody is asked now. */
async function searchFinding(config: Config): Promise<Finding> {
  const topic = 'Search'
  if (config.remoteUrl !== undefined) return { topic, state: 'ok', says: 'done by the remote service' }
  const { keyed, pages, providers } = await providersOf(config)
  const unusable = config.searchProviders.filter(
    (name) => name !== 'local' && !providers.some((provider) => provider.name === name),
  )
  if (unusable.length > 0)
    return {
      topic,
      state: 'note',
      says: `${unusable.join(', ')} cannot be used; ${listed(providers)}`,
      advice: `Correct the names in ${envNameOf('searchProviders')}, or set the key or URL they need.`,
    }
  if (keyed.length > 0) return { topic, state: 'ok', says: listed(providers) }
  const means = pages.length > 0 ? '; web results come from public results pages opened in the browser' : ''
  return { topic, state: 'note', says: `${listed(providers)}${means}`, advice: steadier }
}

const nobody = () => Promise.reject(new Error('nobody is asked here'))

async function providersOf(config: Config) {
  const { chooseProviders, inOrder, searchesWholeWeb } = await import('../../engine/search/providers/table.ts')
  const { resultsPages } = await import('../../engine/search/results-pages/results-pages.ts')
  const apis = chooseProviders({ call: nobody }, config)
  const pages = resultsPages({
    renderPage: nobody,
    clock: { now: Date.now },
    enabled: config.searchResultsPages,
  })
  const providers = inOrder({ apis, pages, order: config.searchProviders })
  return {
    providers,
    keyed: providers.filter(searchesWholeWeb),
    pages: providers.filter((each) => pages.includes(each)),
  }
}

function listed(providers: Awaited<ReturnType<typeof providersOf>>['providers']): string {
  if (providers.length === 0) return 'only the local index is searched'
  const bySource = searchSources.map((source) => {
    const names = providers.filter(({ sources }) => sources.has(source)).map(({ name }) => name)
    return `${source}: ${names.join(', ') || 'none'}`
  })
  return bySource.join('; ')
}
