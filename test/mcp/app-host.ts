/// <reference lib="dom" />
import { type Browser, chromium, type Frame, type Page } from 'playwright-core'
import { browserHere } from '../browser/programs/machine.ts'
import type { AnyClient, Result } from './clients.ts'

/** Features that clients must allow a page without origins (MCP Apps 2026-01-26, "Host Behavior"). */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: object; error?: object }
export type AppHost = {
  page: Page
  app: Frame
  /** All messages of the App, oldest first. */
  messages(): Promise<Message[]>
  notify(method: string, params: object): Promise<void>
  /** Sends a request to the App, and waits for its response. */
  ask(method: string, params: object): Promise<Message>
  calls: { name: string; arguments: Record<string, unknown> }[]
  links: string[]
}

export async function openChromium(): Promise<Browser> {
  const { path, env } = await browserHere()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env } as Record<string, string>,
    args: ['--no-sandbox'],
  })
}

/** A chat page that shows an App and calls the tools of a client for it, as MCP Apps requires of hosts. */
export async function openAppHost(
  browser: Browser,
  client: Pick<AnyClient, 'call' | 'read'>,
  uri: string,
  hostContext: object = {},
): Promise<AppHost> {
  const { contents } = await client.read(uri)
  const html = contents[0]?.text?.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
  const page = await browser.newPage({ viewport: { width: 700, height: 900 } })
  const calls: AppHost['calls'] = []
  const links: string[] = []
  await page.exposeFunction('answerApp', async ({ method, params }: Message): Promise<object> => {
    if (method === 'ui/initialize')
      return {
        protocolVersion: '2026-01-26',
        hostInfo: { name: 'chat', version: '1' },
        hostCapabilities: {},
        hostContext,
      }
    if (method === 'ui/open-link') return (links.push(String(params?.['url'])), {})
    const call = params as AppHost['calls'][number]
    calls.push(call)
    return client.call(call.name, call.arguments) as Promise<Result & object>
  })
  await page.setContent(
    '<body style="margin:0"><iframe id="app" style="border:0;width:100%;height:300px" sandbox="allow-scripts"></iframe>',
  )
  await page.evaluate(hostScript, html ?? '')
  const app = (await (await page.$('#app'))?.contentFrame()) as Frame
  const host: Pick<AppHost, 'messages' | 'notify'> = {
    messages: () => page.evaluate(() => (window as unknown as { messages: Message[] }).messages),
    notify: (method, params) => page.evaluate((message) => sendToApp(message), { method, params }),
  }
  return {
    ...host,
    page,
    app,
    calls,
    links,
    ask: async (method, params) => {
      await page.evaluate((message) => sendToApp(message), { id: 900, method, params })
      for (;;) {
        const answer = (await host.messages()).find(({ id, method: called }) => id === 900 && called === undefined)
        if (answer) return answer
        await page.waitForTimeout(20)
      }
    },
  }
}

declare function sendToApp(message: object): void

/** Runs in the chat's page. */
function hostScript(html: string): void {
  type Answering = { answerApp(message: object): Promise<object>; messages: object[]; sendToApp(message: object): void }
  const chat = window as unknown as Answering
  const frame = document.querySelector('iframe')
  chat.messages = []
  chat.sendToApp = (message) => frame?.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ source, data }) => {
    if (source !== frame?.contentWindow) return
    chat.messages.push(data)
    if (data.method === 'ui/notifications/size-changed' && frame) frame.style.height = `${data.params.height}px`
    if (data.id === undefined || data.method === undefined) return
    chat.answerApp(data).then(
      (result) => chat.sendToApp({ id: data.id, result }),
      (error) => chat.sendToApp({ id: data.id, error: { code: -32000, message: String(error) } }),
    )
  })
  if (frame) frame.srcdoc = html
}
