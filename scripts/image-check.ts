/**
 * `npm run image:check [-- --root FOLDER]`, as root on Debian: executes the last stage of the Dockerfile on a Debian
 * created by debootstrap, starts the server in it as its user, scrapes, crawls, opens a browser, and runs the health
 * check. A named folder is kept, and a Debian in it is reused.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { stagesOf } from './image/dockerfile.ts'
import { containerOf, type Image, makeBase, makeStage } from './image/make.ts'
import { startSampleSite } from '../src/cli/commands/first-steps/try-command.ts'

const { values } = parseArgs({ options: { root: { type: 'string' } } })
const checkout = dirname(import.meta.dirname)
const key = 'image-check-key'
const port = '13002'

const stage = stagesOf(readFileSync(join(checkout, 'Dockerfile'), 'utf8')).at(-1)
const suite = /^node:24-(\w+)-slim$/.exec(stage?.base ?? '')?.[1]
if (!stage || !suite)
  throw new Error(`The last stage of the Dockerfile starts from ${stage?.base}, not from node:24-SUITE-slim.`)
const root = values.root ?? mkdtempSync(join(tmpdir(), 'gossamer-image-'))
try {
  makeBase(root, suite)
  await work(makeStage(root, stage, checkout))
} finally {
  if (values.root === undefined) rmSync(root, { recursive: true, force: true })
}

async function work(image: Image): Promise<void> {
  const site = await startSampleSite()
  const env = { GOSSAMER_API_KEYS: key, GOSSAMER_PORT: port, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }
  const { program, words } = containerOf(image, [...image.entrypoint, 'serve', '--host', '0.0.0.0'], env)
  const server = spawn(program, words, { stdio: ['ignore', 'inherit', 'pipe'] })
  try {
    await said(server, /listens on/)
    const healthcheck = containerOf(image, image.healthcheck, env)
    await promisify(execFile)(healthcheck.program, healthcheck.words)
    console.log('The health check passes.')
    const { data } = await call('POST', 'scrape', { url: site.url, formats: ['markdown', 'screenshot'] })
    expect('scrapes, with a picture', data.markdown.includes('orb web') && data.screenshot.length > 1000)
    const { id } = await call('POST', 'crawl', { url: site.url, limit: 3, wait: 60 })
    expect('crawls', (await call('GET', `crawl/${id}`)).completed > 0)
    const session = await call('POST', 'browser', { url: site.url })
    const { snapshot } = await call('POST', `browser/${session.id}/snapshot`, {})
    expect('opens a live browser', JSON.stringify(snapshot).includes('orb web'))
    await call('DELETE', `browser/${session.id}`)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    site.close()
  }
}

function expect(what: string, holds: boolean): void {
  if (!holds) throw new Error(`The server in the image fails: ${what}.`)
  console.log(`The server in the image ${what}.`)
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses are only inspected
async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} /v2/${path} answered ${response.status}: ${answer.slice(0, 500)}`)
  return JSON.parse(answer) as unknown
}

function said(server: ChildProcess, text: RegExp): Promise<void> {
  let all = ''
  return new Promise((resolve, reject) => {
    server.stderr?.on('data', (chunk) => {
      all += String(chunk)
      process.stderr.write(chunk)
      if (text.test(all)) resolve()
    })
    server.once('exit', () => reject(new Error('The server in the image exited before it listened.')))
  })
}
