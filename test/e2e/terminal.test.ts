import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runProgram } from '../helpers/program.ts'
import { hasTerminal, runOnTerminal } from '../helpers/pseudo-terminal.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'

const folder = folderForAll()
const site = siteForAll()
// A folder inside a file cannot be created, which every command that needs it logs.
writeFileSync(join(folder.path, 'file'), '')
const env = { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }

const badFolder = () => ({ ...env, GOSSAMER_DATA_DIR: join(folder.path, 'file/data') })
const escape = '\u001b['

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('help is coloured, unless NO_COLOR is set', async () => {
    const { code, text } = await runOnTerminal(['-h'])
    expect(code).toBe(0)
    expect(text).toContain(escape)
    const without = await runOnTerminal(['help'], { NO_COLOR: '1' })
    expect(without.text).toBe(stripVTControlCharacters(text))
    expect((await runOnTerminal(['help'], { TERM: 'dumb' })).text).toBe(without.text)
  })

  it.each([
    [['scrape'], 'scrape'],
    [['doctor'], 'doctor'],
  ])('%j prints no JSON, even on errors', async (args) => {
    const page = args[0] === 'scrape' ? [site.url('/article')] : []
    const { text } = await runOnTerminal([...args, ...page], badFolder())
    expect(text).not.toMatch(/^\{/m)
    expect(text).not.toContain('"level"')
  })

  it('an error is a readable line of the log', async () => {
    const { code, text } = await runOnTerminal(['scrape', site.url('/article')], badFolder())
    expect(code).toBe(0)
    expect(stripVTControlCharacters(text)).toMatch(/^\d\d:\d\d:\d\d warn store \(warning: .*file\/data.*\)\s*$/m)
    expect(text).toContain(`${escape}33mwarn`)
  })
})

describe('through a pipe', () => {
  it('nothing is coloured, unless FORCE_COLOR is set', async () => {
    expect((await runProgram(['help'])).stdout).not.toContain(escape)
    expect((await runProgram(['help'], { FORCE_COLOR: '1' })).stdout).toContain(escape)
    expect(JSON.parse((await runProgram(['doctor'], { ...env, FORCE_COLOR: '1' })).stdout)).toHaveProperty('findings')
  })

  it('the log is JSON', async () => {
    const { stderr } = await runProgram(['scrape', site.url('/article')], badFolder())
    const lines = stderr.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toContain('store')
  })
})
