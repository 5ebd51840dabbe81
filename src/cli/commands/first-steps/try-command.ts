import { resolve } from 'node:path'
import { isRecord, parseJsonObject, recordsIn } from '../../../util/json.ts'
import type { Command, CommandContext } from '../../command.ts'
import { setupRows } from './setup-command.ts'
import { harmless } from '../../terminal-io.ts'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that was started in the way of MCP clients. */
type RunningServer = {
  /** Resolves with the result; rejects with the server's error message, or if the server exits first. */
  request(method: string, params: object): Promise<Record<string, unknown>>
  end(): void
}

/** Starts a server over stdio and opens the connection. It shares this program's log output. */
async function startOverStdio(command: string, args: readonly string[]): Promise<RunningServer> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  let lastId = 0
  const failAll = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message))
  }
  child.on('error', (error) => failAll(`The server cannot be started: ${error.message}`))
  child.on('close', (code) => failAll(`The server has ended with code ${code}.`))
  // Writes to an exited server fail; its exit is reported above.
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = parseJsonObject(line) ?? {}
    const answer = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (isRecord(result)) answer?.resolve(result)
    else
      answer?.reject(new Error(isRecord(error) ? String(error['message']) : 'The answer of the server is malformed.'))
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const server: RunningServer = {
    request: async (method, params) => {
      lastId += 1
      const answer = Promise.withResolvers<Record<string, unknown>>()
      waiting.set(lastId, answer)
      send({ id: lastId, method, params })
      return answer.promise
    },
    end: () => child.stdin.end(),
  }
  const clientInfo = { name: 'gossamer-try', version: '1.0.0' }
  await server.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return server
}

/**
 * `gossamer try [URL]`: a short demo. Starts the server as a client does, scrapes a page through it, and shows next
 * steps.
 */
export const tryCommand: Command = async (context) => {
  const { words, terminal, flags } = context
  const [address] = words
  const site = address === undefined ? await startSampleSite() : undefined
  try {
    const { tools, url, text, isError } = await visit(context, address ?? site?.url ?? '', site?.host)
    if (flags.json) terminal.out(`${JSON.stringify({ tools, url, text, isError })}\n`)
    else terminal.out(await summaryOf(context, { tools, url, text }))
    return isError ? 1 : 0
  } finally {
    site?.close()
  }
}

type Visit = { tools: string[]; url: string; text: string; isError: boolean }

async function visit({ settings }: CommandContext, url: string, allowed: string | undefined): Promise<Visit> {
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  // A trial stores nothing.
  const own = ['--data-dir=memory', ...(allowed === undefined ? [] : [`--allow-hosts=${allowed}`])]
  const server = await startOverStdio(process.execPath, [resolve(process.argv[1] ?? ''), ...flags, ...own])
  try {
    const { tools } = await server.request('tools/list', {})
    const { content, isError } = await server.request('tools/call', { name: 'scrape', arguments: { url } })
    return {
      tools: recordsIn(tools).map(({ name }) => String(name)),
      url,
      text: recordsIn(content)
        .flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : []))
        .join('\n\n'),
      isError: isError === true,
    }
  } finally {
    server.end()
  }
}

async function summaryOf({ terminal }: CommandContext, { tools, url, text }: Omit<Visit, 'isError'>): Promise<string> {
  const step = (title: string) => terminal.style.out('bold', title)
  const installed = (await setupRows()).filter(({ state }) => state !== 'no file')
  const names = installed.length > 0 ? installed.map(({ client }) => client) : ['cursor']
  // oxlint-disable-next-line node/no-process-env -- npm sets it to the name of its script; in a checkout gossamer is not on the PATH
  const program = process.env['npm_lifecycle_event'] === 'try' ? 'npx gossamer' : 'gossamer'
  return [
    step(`1. A client starts the server, and gets ${tools.length} tools`),
    tools.join(', '),
    '',
    step(`2. Its agent reads a page: scrape ${harmless(url)}`),
    harmless(text),
    '',
    step('3. Add Gossamer to your client, and have your agent read a page'),
    ...names.map((name) => `${program} setup ${name}`),
    '',
    `"${program} setup" lists all clients, "${program} doctor" shows what else works on this machine.`,
    '',
  ].join('\n')
}

const article = `<!doctype html>
<html lang="en">
<head>
  <title>How spiders build an orb web</title>
  <meta name="description" content="From the first bridge thread to the sticky spiral, step by step.">
  <meta property="og:type" content="article">
</head>
<body>
  <nav><a href="/">Home</a> <a href="/animals">Animals</a> <a href="/about">About</a></nav>
  <div class="cookie-banner">We use cookies. <button>Accept all</button></div>
  <main>
    <article>
      <h1>How spiders build an orb web</h1>
      <p>An orb web looks like one drawing, but it is built in four stages, and most of what is built first is taken
      away again before the spider is done. The whole work takes about half an hour.</p>
      <h2>The stages</h2>
      <ol>
        <li>A <b>bridge thread</b> is let out on the wind until it catches on something.</li>
        <li>A second thread is dropped from its middle: the first three <a href="/glossary#radius">radii</a>.</li>
        <li>A wide, dry spiral is walked from the centre outwards, as a scaffold.</li>
        <li>The sticky spiral is laid from the rim inwards, while the scaffold is eaten.</li>
      </ol>
      <h2>Silk in figures</h2>
      <table>
        <tr><th>Thread</th><th>Strength (MPa)</th><th>Stretch</th></tr>
        <tr><td>Dragline</td><td>1100</td><td>27 %</td></tr>
        <tr><td>Capture spiral</td><td>500</td><td>270 %</td></tr>
      </table>
      <p>Gossamer is the name of the fine threads on which young spiders sail through the air in autumn. A single
      thread is thin enough to be carried by a breath, and strong enough to carry its spider for hundreds of miles.</p>
    </article>
  </main>
  <aside class="related"><h3>You may also like</h3><a href="/moths">Why moths fly in circles</a></aside>
  <footer>© Sample site · <a href="/privacy">Privacy</a></footer>
</body>
</html>`

/** Starts a site with one page on loopback, for a trial without internet access. */
export async function startSampleSite(): Promise<{ url: string; host: string; close(): void }> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(article),
  )
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}/spiders`, host, close: () => void server.close() }
}
