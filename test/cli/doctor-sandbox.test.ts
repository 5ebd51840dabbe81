import { describe, expect, test } from 'vitest'
import { describeSandbox } from '../../src/cli/commands/doctor/doctor-command.ts'
import { runProgram, tempDir } from '../helpers/program.ts'
import { strong } from '../session/code/programs/coding.ts'

const bubblewrap = { name: 'bubblewrap', about: 'no network' } as const
const deno = { name: 'deno', about: 'no files' } as const

describe('doctor on the sandbox of session code', () => {
  test.each([
    [bubblewrap, 'always', 'ok', /^in bubblewrap, all languages: no network; 768 MB and 64 processes$/],
    [deno, 'local', 'note', /^in Deno, Node code only: no files; .* Python and bash do not run$/],
    [deno, 'always', 'note', /Python and bash run without a sandbox \(GOSSAMER_UNSANDBOXED_CODE=always\)$/],
    [undefined, 'never', 'note', /no code runs \(GOSSAMER_UNSANDBOXED_CODE=never\)$/],
    [undefined, 'local', 'note', /only Node code runs, over stdio and from the command line/],
    [undefined, 'always', 'note', /code of every caller .* \(GOSSAMER_UNSANDBOXED_CODE=always\)$/],
  ] as const)(
    'reports %j with GOSSAMER_UNSANDBOXED_CODE=%s by the state %j',
    (sandbox, unsandboxedCode, state, says) => {
      const finding = describeSandbox(sandbox, { unsandboxedCode })
      expect(finding).toMatchObject({ topic: 'Session code', state, says: expect.stringMatching(says) })
      expect(finding.advice).toEqual(state === 'ok' ? undefined : expect.stringContaining('bubblewrap'))
    },
  )

  test('finds the sandbox of this machine', async () => {
    const folder = tempDir()
    const { stdout } = await runProgram(['doctor'], { GOSSAMER_DATA_DIR: folder.path })
    folder.remove()
    const { findings } = JSON.parse(stdout) as { findings: { topic: string; says: string }[] }
    const says = findings.find(({ topic }) => topic === 'Session code')?.says
    expect(says).toContain(strong ? 'system calls' : 'Node code')
  })
})
