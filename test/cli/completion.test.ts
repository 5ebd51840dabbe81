import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flagOf, isSwitch, settingKeys } from '../../src/app/read-config.ts'
import { completionScript } from '../../src/cli/commands/completion.ts'
import { commandNames, commandOf } from '../../src/cli/usage/commands.ts'
import { operations, tools } from '../../src/operations/index.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]
const hasShell = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gossamer-completion-'))
  for (const shell of shells) writeFileSync(join(dir, shell), completionScript(shell))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The words as each shell hands them to the function; of zsh the functions that show them are stand-ins. */
const programs: Record<Shell, (words: readonly string[]) => string> = {
  bash: (words) => {
    // Bash takes = for a word of its own.
    const split = words.flatMap((word) => (word.startsWith('--') ? word.split(/(=)/).filter(Boolean) : word))
    return `source ${join(dir, 'bash')}
      COMP_WORDS=(gossamer ${split.map(quoted).join(' ')}); COMP_CWORD=${split.length}
      _gossamer; printf '%s\\n' "\${COMPREPLY[@]}"`
  },
  zsh: (words) => `compdef() { :; }; compset() { words[CURRENT]=\${words[CURRENT]#*=}; }; _files() { print FILES; }
      offered() { local each; for each in "$@"; do [[ $each == "$words[CURRENT]"* ]] && print -r -- $each; done; }
      compadd() { shift; offered "$@"; }
      _describe() { [[ $1 == -o ]] && shift; offered "\${(@)\${(@P)2}%%:*}"; }
      source ${join(dir, 'zsh')}
      words=(gossamer ${words.map(quoted).join(' ')}); CURRENT=${words.length + 1}
      _gossamer; true`,
  fish: (words) => `source ${join(dir, 'fish')}; complete -C ${quoted(['gossamer', ...words].join(' '))}`,
}

/** What the shell offers for the last word, which the cursor stands behind. */
function offered(shell: Shell, ...words: string[]): string[] {
  const output = execFileSync(shell, [...(shell === 'zsh' ? ['-f'] : []), '-c', programs[shell](words)], {
    encoding: 'utf8',
    cwd: dir,
  })
  const lines = output.split('\n').filter(Boolean)
  return lines
    .map((line) => (line.split('\t')[0] ?? '').replace(/^.*=/, ''))
    .filter((line) => !shells.includes(line as Shell))
}

describe.each(shells)('%s', (shell) => {
  const able = test.skipIf(!hasShell(shell))

  able('offers every command, and what follows each', () => {
    expect(offered(shell, '').toSorted()).toEqual(commandNames.toSorted())
    expect(offered(shell, 'cr')).toEqual(['crawl'])
    for (const name of commandNames) {
      const verbs = commandOf(name).forms.flatMap(({ verb }) => verb ?? [])
      if (verbs.length > 0 && name !== 'completion')
        expect(offered(shell, name, '').toSorted()).toEqual(verbs.toSorted())
    }
    expect(offered(shell, 'keys', 're')).toEqual(['revoke'])
    expect(offered(shell, 'keys', 'add', '')).not.toContain('revoke')
  })

  able('offers the operations and tools to call, and what help explains', () => {
    const names = new Set([...operations, ...tools].map(({ name }) => name))
    expect(offered(shell, 'call', '').toSorted()).toEqual([...names].toSorted())
    expect(offered(shell, 'help', 'cr')).toEqual(expect.arrayContaining(['crawl', 'crawl-host-concurrency']))
    expect(offered(shell, 'help', 'set')).toContain('settings')
  })

  able('offers the flags of a command and every setting, and no flag of another command', () => {
    expect(offered(shell, 'crawl', '--ou')).toEqual(['--out'])
    expect(offered(shell, 'tools', '--ou')).toEqual([])
    expect(offered(shell, 'index', 'prune', '--ol')).toEqual(['--older-than'])
    const flags = offered(shell, 'scrape', '--')
    for (const key of settingKeys) if (!isSwitch(key)) expect(flags).toContain(flagOf(key))
    expect(flags).toEqual(expect.arrayContaining(['--formats', '--json', '--strict', '--no-search-results-pages']))
    expect(flags).not.toContain('--warc')
  })

  able('offers the values of a flag that has a few, and looks past values for the command', () => {
    expect(offered(shell, '--log-level', 'si')).toEqual(['silent'])
    expect(offered(shell, '--log-level=si')).toEqual(['silent'])
    expect(offered(shell, 'serve', '--unsandboxed-code', '').toSorted()).toEqual(['always', 'local', 'never'])
    expect(offered(shell, 'serve', '--model-dialect', '').toSorted()).toEqual(['anthropic', 'openai'])
    expect(offered(shell, '--port', '80', 'keys', 'l')).toEqual(['list'])
    expect(offered(shell, '--port=80', '--strict', 'keys', 'l')).toEqual(['list'])
  })
})

test('the words of a script hold nothing that a shell would run', () => {
  for (const shell of shells) expect(completionScript(shell)).not.toMatch(/`|\$\((?!compgen|commandline)/)
})
