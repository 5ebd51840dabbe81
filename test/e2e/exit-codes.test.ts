import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram, tempDir } from '../helpers/program.ts'
import { type Site, startSite } from '../helpers/site.ts'

const folder = tempDir()
let site: Site
let nobody: string
let env: Record<string, string>
beforeAll(async () => {
  site = await startSite()
  const port = await freePort()
  nobody = `http://127.0.0.1:${port}/`
  env = {
    GOSSAMER_DATA_DIR: join(folder.path, 'data'),
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port},127.0.0.1:${port}`,
  }
})
afterAll(async () => {
  await site.close()
  folder.remove()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => void server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}

const codeOf = async (args: string[]) => (await runProgram(args, env)).code

it('the exit code is 1 each time a site cannot be crawled: the program closes before it ends', async () => {
  const codes = []
  for (let run = 0; run < 3; run += 1) codes.push(await codeOf(['crawl', nobody]))
  expect(codes).toEqual([1, 1, 1])
})

const ends: [number, string, (at: { page: string; nobody: string }) => string[]][] = [
  [0, 'a scrape', ({ page }) => ['scrape', page]],
  [1, 'a map of nobody', ({ nobody: url }) => ['call', 'map', JSON.stringify({ url })]],
  [1, 'keys without such a key', () => ['keys', 'revoke', 'nobody']],
  [2, 'profile without a word', () => ['profile']],
]
it.each(ends)('the exit code is %d at the end of %s', async (code, _, args) => {
  expect(await codeOf(args({ page: site.url('/article'), nobody }))).toBe(code)
})

it.runIf(existsSync('/proc/self'))('is 2 where the place for the pages cannot be made', async () => {
  const { code, stderr } = await runProgram(['crawl', nobody, '--out', '/proc/nowhere/pages'], env)
  expect(code).toBe(2)
  expect(stderr).toContain('--out: the folder /proc/nowhere/pages cannot be made')
})
