import { describe, expect, test } from 'vitest'
import type { Language } from '../../src/contracts/session-port.ts'
import { strong } from '../session/code/programs/coding.ts'
import { startSessionServer } from './sessions-kit.ts'
import { leftOpen, forAll } from '../helpers/for-all.ts'

const installation = process.cwd()
if (!strong) console.warn('No usable bubblewrap here, so paths of the installation in it are not tested.')

/**
 * Prints all that processes of the sandbox reveal about themselves and their mounts, and whether the memory of the
 * first one contains a text.
 */
const leaks: Record<Language, string> = {
  python: `import os, re, sys, traceback
for pid in filter(str.isdigit, os.listdir('/proc')):
    for name in ('cmdline', 'environ', 'maps', 'mountinfo', 'mounts', 'cgroup'):
        print(open(f'/proc/{pid}/{name}', errors='replace').read().replace('\\0', ' '))
    for name in ('exe', 'cwd', 'root'):
        print(os.readlink(f'/proc/{pid}/{name}'))
print(sys.argv, sys.path, sys.executable)
print(traceback.format_stack())
memory = open('/proc/1/mem', 'rb', 0)
for start, end, mode in re.findall(r'([0-9a-f]+)-([0-9a-f]+) (\\S+)', open('/proc/1/maps').read()):
    try:
        memory.seek(int(start, 16))
        part = memory.read(int(end, 16) - int(start, 16))
        if bytes('${installation}'[1:], 'utf8') in part: print('memory: ${installation}')
    except (OSError, OverflowError, ValueError):
        pass`,
  bash: `cat /proc/*/mountinfo; tr '\\0' ' ' </proc/1/cmdline; env; declare -f; ls -lR /sandbox /proc/*/exe /proc/*/cwd 2>&1; caller`,
  node: `const { readdirSync, readFileSync, readlinkSync } = require('fs')
for (const pid of readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) {
  for (const name of ['cmdline', 'environ', 'maps', 'mountinfo']) console.log(readFileSync('/proc/' + pid + '/' + name, 'latin1'))
  console.log(readlinkSync('/proc/' + pid + '/exe'))
}
console.log(process.argv, process.execPath, process.report.getReport(), require('module').builtinModules.length)
Error.stackTraceLimit = 100
await page.evaluate('no such thing').catch((error) => console.log(error.stack))
console.log(new Error().stack)`,
}

describe.skipIf(!strong)('code in the built program', () => {
  const server = forAll(() => startSessionServer({ GOSSAMER_UNSANDBOXED_CODE: 'never' }))
  const session = forAll(() => server.open(), leftOpen)

  test.each(Object.entries(leaks))('in %s contains no path of the installation', async (language, code) => {
    const { body } = await session.run(code, { language })
    expect(body).toMatchObject({ exitCode: 0, killed: false })
    const lines = `${String(body['stdout'])}\n${String(body['stderr'])}`.split('\n')
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.join('\n')).toContain('/sandbox/')
    // A Node outside the system folders is mounted, and the mount table shows its path.
    expect(lines.filter((line) => line.includes(installation) && !/ \/sandbox\/node /.test(line))).toEqual([])
  })

  test('clicks in Node code', async () => {
    const page = `data:text/html,<button onclick="document.title='pressed'">Press</button>`
    const code = `await page.goto(${JSON.stringify(page)}); await page.getByRole('button').click(); await page.title()`
    expect((await session.run(code)).body).toMatchObject({ result: 'pressed', exitCode: 0 })
  })
})
