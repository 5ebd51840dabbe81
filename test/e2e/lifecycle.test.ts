import { expect, it } from 'vitest'
import { processesBelow, until } from '../helpers/processes.ts'
import { startProgram, type Program } from '../helpers/program.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'

const folder = folderForAll()
const site = siteForAll()

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const call = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const send = (program: Program, message: object) => program.child.stdin.write(`${JSON.stringify(message)}\n`)

/** Starts a program over stdio that has answered `initialize`. */
async function connected(): Promise<Program> {
  const program = startProgram([], { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
  send(program, initialize)
  await until(() => program.stdout().includes('"id":1'))
  return program
}

/** Starts a program during a scrape, with an open database and a connection to a site that never responds. */
async function busy(): Promise<Program> {
  const program = await connected()
  send(program, call(2, 'scrape', { url: site.url('/article') }))
  await until(() => program.stdout().includes('"id":2'))
  const before = site.requests.length
  send(program, call(3, 'scrape', { url: site.url('/hang') }))
  await until(() => site.requests.length > before)
  return program
}

it('the program ends when its client closes stdin, even during a scrape', async () => {
  const program = await busy()
  const children = processesBelow(program.child.pid ?? 0)
  program.child.stdin.end()
  expect(await program.exited).toMatchObject({ code: 0, signal: null })
  expect(children).toEqual([])
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s, even in the middle of a scrape', async (signal) => {
  const program = await busy()
  program.kill(signal)
  expect(await program.exited).toMatchObject({ code: 0, signal: null })
  // The interrupted call is recorded before the database closes.
  expect(program.stderr()).toBe('')
})

it('the connection to the site closes when the client cancels a scrape', async () => {
  const program = await busy()
  const request = site.requests.at(-1)
  send(program, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } })
  await until(() => request?.closed === true)
  send(program, call(4, 'activity', {}))
  await until(() => program.stdout().includes('"id":4'))
  expect(program.stdout()).not.toContain('"id":3')
  program.child.stdin.end()
  await program.exited
})
