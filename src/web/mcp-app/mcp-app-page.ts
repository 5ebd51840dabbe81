import { byId, createElement } from '../page-elements.ts'

type Fields = Record<string, unknown>
type Facts = Partial<{
  sessionId: string
  url: string
  title: string
  tabs: readonly { url: string; title: string; isCurrent: boolean }[]
  liveViewUrl: string
  interactiveLiveViewUrl: string
}>
type Result = {
  isError?: boolean
  content?: readonly { type: string; text?: string; data?: string; mimeType?: string }[]
  _meta?: Fields
}
type Settings = { frameTool: string; dataKey: string; protocolVersion: string }

/** Settings that the server embeds in the page. */
const settings = JSON.parse(byId('settings').textContent) as Settings
const showNote = (text: string) => {
  if (byId('note').textContent !== text) byId('note').textContent = text
}

const live = follow((name, args) => host.request('tools/call', { name, arguments: args }) as Promise<Result>)
const host = connect((method, params) => {
  if (method === 'ui/notifications/tool-input')
    live.learn({ sessionId: (params['arguments'] as Facts)?.sessionId ?? '' })
  if (method === 'ui/notifications/tool-result') live.start(params as Result)
  if (method === 'ui/notifications/tool-cancelled') live.end('The call was cancelled.')
  if (method === 'ui/notifications/host-context-changed') dress(params)
}, live.end)
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => {
    host
      .request('ui/open-link', { url: button.value })
      .then(({ isError }) => isError && showNote('The address was not opened.'))
      .catch(() => showNote('The address was not opened.'))
  })
begin().catch(() => showNote('The client does not answer.'))

async function begin(): Promise<void> {
  const appInfo = { name: 'gossamer-live-view', title: 'Live browser', version: '1.0.0' }
  const appCapabilities = { availableDisplayModes: ['inline', 'fullscreen'] }
  const { protocolVersion } = settings
  const { hostContext } = await host.request('ui/initialize', { appInfo, appCapabilities, protocolVersion })
  dress((hostContext ?? {}) as Fields)
  host.notify('ui/notifications/initialized', {})
  sendSize()
}

function post(message: object): void {
  parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

/** Connection to the client around the page: JSON-RPC 2.0 in posted messages. */
function connect(receive: (method: string, params: Fields) => void, end: (why: string) => void) {
  const waiting = new Map<number, { resolve(result: Fields): void; reject(error: Error): void }>()
  let last = 0
  const answer = (id: unknown, method: string) => {
    if (method === 'ui/resource-teardown') end('Closed.')
    const isKnown = method === 'ui/resource-teardown' || method === 'ping'
    post(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: `No such method: ${method}` } })
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (typeof data.method === 'string' && data.id === undefined) receive(data.method, data.params ?? {})
    else if (typeof data.method === 'string') answer(data.id, data.method)
    else {
      if (data.error) waiting.get(data.id)?.reject(new Error(data.error.message))
      else waiting.get(data.id)?.resolve(data.result ?? {})
      waiting.delete(data.id)
    }
  })
  return {
    request: (method: string, params: object) =>
      new Promise<Fields>((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        post({ id: last, method, params })
      }),
    notify: (method: string, params: object) => post({ method, params }),
  }
}

/**
 * Requests the picture repeatedly while the page is visible, until `tries` requests in a row failed. Times are in ms.
 */
function follow(call: (name: string, args: object) => Promise<Result>) {
  const { frameTool, dataKey } = settings
  const pace = { changed: 500, still: 1000, failed: 3000, tries: 5 }
  let facts: Facts = {}
  const work = { isRunning: false, failures: 0 }
  let isInView = true
  const isSeen = () => isInView && document.visibilityState === 'visible'
  const learn = (more: Facts) => {
    facts = { ...facts, ...more }
    showFacts(facts)
  }
  const end = (why: string) => {
    work.isRunning = false
    document.documentElement.dataset['state'] = 'over'
    showNote(why)
  }
  const frame = async (): Promise<number> => {
    const answer = await call(frameTool, { sessionId: facts.sessionId })
    const { isError, content, _meta: meta } = answer
    const words = content?.find(({ type }) => type === 'text')?.text ?? ''
    if (isError && /^(SESSION_GONE|SESSION_NOT_FOUND|JOB_OF_OTHER_TEAM)/.test(words)) end('The session is over.')
    if (isError) throw new Error('No picture')
    work.failures = 0
    learn(meta?.[dataKey] as Facts)
    document.documentElement.dataset['state'] = 'live'
    showNote('Live')
    return showPicture(answer) ? pace.changed : pace.still
  }
  const failed = (): number => {
    work.failures += 1
    if (work.isRunning)
      showNote(work.failures < pace.tries ? 'Waiting for a picture' : 'The picture cannot be loaded any more.')
    work.isRunning &&= work.failures < pace.tries
    return pace.failed
  }
  const run = async () => {
    if (work.isRunning || !facts.sessionId || !isSeen()) return
    Object.assign(work, { isRunning: true, failures: 0 })
    while (work.isRunning && isSeen()) {
      const restMs = await frame().catch(failed)
      await new Promise((rested) => setTimeout(rested, restMs))
    }
    if (work.isRunning) showNote('Paused')
    work.isRunning = false
  }
  const look = () => document.documentElement.dataset['state'] !== 'over' && void run()
  document.addEventListener('visibilitychange', look)
  new IntersectionObserver(([entry]) => {
    isInView = entry?.isIntersecting ?? true
    look()
  }).observe(document.documentElement)
  const start = ({ isError, _meta: meta }: Result) => {
    if (isError) return end('There is no session to show.')
    learn(meta?.[dataKey] as Facts)
    look()
  }
  return { learn, start, end }
}

/** Returns true if the picture has changed. */
function showPicture({ content }: Result): boolean {
  const image = content?.find(({ type }) => type === 'image')
  const picture = byId<HTMLImageElement>('picture')
  const source = `data:${image?.mimeType};base64,${image?.data}`
  if (!image || picture.src === source) return false
  picture.src = source
  picture.hidden = false
  return true
}

function showFacts({ title = '', url = '', tabs = [], liveViewUrl = '', interactiveLiveViewUrl = '' }: Facts): void {
  byId('title').textContent = title || 'Live browser'
  byId('address').textContent = url
  byId<HTMLImageElement>('picture').alt = title
  for (const [id, link] of Object.entries({ watch: liveViewUrl, control: interactiveLiveViewUrl })) {
    byId<HTMLButtonElement>(id).value = link
    byId(id).hidden = !/^https?:/.test(link)
  }
  const items = tabs.map((tab) =>
    createElement('li', { ariaCurrent: tab.isCurrent ? 'page' : null }, tab.title || tab.url),
  )
  byId('tabs').replaceChildren(...(items.length > 1 ? items : []))
}

/** Applies the colours and size given by the client. */
function dress(context: Fields): void {
  const { style, dataset } = document.documentElement
  const { theme, styles, containerDimensions } = context as {
    theme?: string
    styles?: { variables?: Record<string, string> }
    containerDimensions?: { height?: number; maxHeight?: number }
  }
  if (theme) style.colorScheme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value) style.setProperty(name, value)
  if (!containerDimensions) return
  const { height, maxHeight } = containerDimensions
  dataset['room'] = height === undefined ? 'free' : 'fixed'
  if (maxHeight) style.setProperty('--picture-height', `${Math.max(120, maxHeight - 140)}px`)
}

function sendSize(): void {
  let sent = ''
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect()
    const size = { width: Math.ceil(width), height: Math.ceil(height) }
    if (sent === JSON.stringify(size)) return
    sent = JSON.stringify(size)
    host.notify('ui/notifications/size-changed', size)
  }).observe(document.documentElement)
}
