import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram, tempDir } from '../helpers/program.ts'
import { siteForAll } from '../helpers/for-all.ts'

const site = siteForAll()

function home() {
  const folder = tempDir()
  onTestFinished(folder.remove)
  return { path: folder.path, env: { HOME: folder.path, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' } }
}

test('try shows the tools, a page read through one of them, and the next steps', async () => {
  const { path, env } = home()
  const { code, stdout } = await runProgram(['try'], env)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^1\. A client starts the server, and gets \d\d tools\n.*\bscrape, /)
  expect(stdout).toContain('# How spiders build an orb web')
  expect(stdout).not.toContain('Accept all')
  expect(stdout).toContain('\ngossamer setup cursor\n')
  expect(readdirSync(path)).toEqual([])
})

test('try reads a given page with the given settings', async () => {
  const { env } = home()
  const args = ['try', site.url('/article'), '--allow-hosts', `127.0.0.1:${site.port}`, '--tools', 'core', '--json']
  const { code, stdout } = await runProgram(args, env)
  const { tools, text } = JSON.parse(stdout) as { tools: string[]; text: string }
  expect({ code, hasCrawl: tools.includes('crawl') }).toEqual({ code: 0, hasCrawl: false })
  expect(text).toContain('The lighthouse that learned to listen')
})

test('an unreadable page is reported with the reason, and the exit code is 1', async () => {
  const { env } = home()
  const { code, stdout } = await runProgram(['try', site.url('/article')], env)
  expect(code).toBe(1)
  expect(stdout).toContain('GOSSAMER_ALLOW_HOSTS')
})
