import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { completionScript } from '../../src/cli/completion.ts'
import { commandNames } from '../../src/cli/usage/command-table.ts'
import { folderForAll } from '../helpers/for-all.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]
const hasShell = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0

const [{ path: dir }, { path: bin }] = [folderForAll(), folderForAll()]
beforeAll(() => {
  const source = pathToFileURL(join(import.meta.dirname, '../../src/main.ts')).href
  writeFileSync(join(bin, 'main.mjs'), `import { main } from ${JSON.stringify(source)}\nmain()\n`)
  const program = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(join(bin, 'main.mjs'))} "$@"\n`
  writeFileSync(join(bin, 'gossamer'), program, { mode: 0o755 })
  for (const shell of shells) writeFileSync(join(dir, shell), completionScript(shell))
})

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Passes words to the completion function like each shell. The functions with which zsh displays completions are
 * replaced.
 */
const programs: Record<Shell, (words: readonly string[]) => string> = {
  bash: (words) => {
    // Bash splits words at =.
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

/** Returns the shell's completions of the last word, with the cursor after it. */
function offered(shell: Shell, ...words: string[]): string[] {
  const output = execFileSync(shell, [...(shell === 'zsh' ? ['-f'] : []), '-c', programs[shell](words)], {
    encoding: 'utf8',
    cwd: dir,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` },
  })
  const lines = output.split('\n').filter(Boolean)
  return lines
    .map((line) => (line.split('\t')[0] ?? '').replace(/^.*=/, ''))
    .filter((line) => !shells.includes(line as Shell))
}

describe.each(shells)('%s', (shell) => {
  const able = test.skipIf(!hasShell(shell))

  able('offers commands, what follows them, and their flags', () => {
    expect(offered(shell, '').toSorted()).toEqual(commandNames.toSorted())
    expect(offered(shell, 'keys', 're')).toEqual(['revoke'])
    expect(offered(shell, 'crawl', '--ou')).toEqual(['--out'])
  })

  able('offers the values of a flag that has a few', () => {
    expect(offered(shell, '--log-level', 'si')).toEqual(['silent'])
    expect(offered(shell, '--log-level=si')).toEqual(['silent'])
  })
})

test('words of the script contain nothing that a shell would run', () => {
  for (const shell of shells) expect(completionScript(shell)).not.toMatch(/`|\$\((?!compgen|commandline|gossamer)/)
})
