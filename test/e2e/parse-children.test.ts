import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flateBomb } from '../document/pdf/raw-pdf.ts'
import { folderForAll, serverForAll } from '../helpers/for-all.ts'
import { stdioClient } from '../helpers/mcp-client.ts'
import { isAlive, memoryOf, processesBelow, until } from '../helpers/processes.ts'
import { type Server, startServer } from '../helpers/program.ts'
import { formOf, pdfOf, sheetOf, wordOf } from './parse-files.ts'

const folder = folderForAll()
const server = serverForAll()

type Answer = { status: number; body: { code?: string; error?: string; data?: { markdown: string } } }
function post(url: string, filename: string, bytes: Uint8Array, options: object = {}, init: RequestInit = {}) {
  const body = formOf({ filename, contentType: '', bytes }, options)
  return fetch(`${url}/v2/parse`, { method: 'POST', body, ...init })
}
async function send(filename: string, bytes: Uint8Array, options?: object, init?: RequestInit): Promise<Answer> {
  const response = await post(server.url, filename, bytes, options, init)
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
const idOf = ({ program }: Pick<Server, 'program'>) => program.child.pid ?? 0
const good = await pdfOf(1)
/** File whose conversion takes some seconds. */
const long = sheetOf(60_000)

describe.runIf(process.platform === 'linux')('a hostile file', () => {
  it('(a PDF of 3 kB that unpacks to 400 MB) ends only its own process', async () => {
    expect(await send('good.pdf', good)).toMatchObject({ status: 200 })
    const before = memoryOf(idOf(server))
    const bomb = flateBomb(400)
    expect(bomb.byteLength).toBeLessThan(4000)
    expect(await send('bomb.pdf', bomb)).toMatchObject({
      status: 500,
      body: { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', error: expect.stringContaining('memory') },
    })
    expect(memoryOf(idOf(server)) - before).toBeLessThan(100_000_000)
    expect(await send('good.pdf', good)).toMatchObject({
      body: { data: { markdown: expect.stringContaining('Chapter') } },
    })
  })

  it('(a Word file that unpacks to 300 MB) is refused during unpacking', async () => {
    const before = memoryOf(idOf(server))
    expect(await send('bomb.docx', wordOf('a'.repeat(300_000_000)))).toMatchObject({
      status: 500,
      body: { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', error: expect.stringContaining('too large') },
    })
    expect(memoryOf(idOf(server)) - before).toBeLessThan(100_000_000)
    expect(await send('good.docx', wordOf('Dear reader'))).toMatchObject({ status: 200 })
  })
})

describe.runIf(process.platform === 'linux')('the process that reads a file', () => {
  it('ends with the timeout of the call', async () => {
    const answer = send('long.xlsx', long, { timeout: 1000 })
    await until(() => processesBelow(idOf(server)).length > 0)
    expect(await answer).toMatchObject({ status: 408, body: { code: 'SCRAPE_TIMEOUT' } })
    await until(() => processesBelow(idOf(server)).length === 0)
  })

  it('ends when the caller disconnects', async () => {
    const leaving = new AbortController()
    const answer = send('long.xlsx', long, {}, { signal: leaving.signal })
    await until(() => processesBelow(idOf(server)).length > 0)
    leaving.abort()
    await expect(answer).rejects.toThrow('abort')
    await until(() => processesBelow(idOf(server)).length === 0)
  })

  it('ends when an MCP client cancels the call', async () => {
    const client = await stdioClient({ GOSSAMER_DATA_DIR: join(folder.path, 'stdio') })
    const leaving = new AbortController()
    const sent = { filename: 'long.xlsx', base64: Buffer.from(long).toString('base64') }
    const answer = client.call('parse', sent, { signal: leaving.signal })
    await until(() => processesBelow(client.pid).length > 0)
    leaving.abort()
    await expect(answer).rejects.toThrow('abort')
    await until(() => processesBelow(client.pid).length === 0)
    await client.close()
  })

  it('is one of two at a time, however many files arrive', async () => {
    const answers = Promise.all(Array.from({ length: 8 }, () => send('good.pdf', good)))
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, processesBelow(idOf(server)).length)
    }, 5)
    expect((await answers).map(({ status }) => status)).toEqual(Array(8).fill(200))
    clearInterval(watch)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends with the program, idle or busy (%s)', async (signal) => {
    const other = await startServer(server.env)
    await Promise.all([post(other.url, 'good.pdf', good), post(other.url, 'good.pdf', good)])
    const working = post(other.url, 'long.xlsx', long).catch(() => undefined)
    await until(() => processesBelow(idOf(other)).length > 0)
    const children = processesBelow(idOf(other))
    other.program.kill(signal)
    await other.program.exited
    await working
    await until(() => !children.some(isAlive))
    expect(children.length).toBeGreaterThan(0)
  })
})
