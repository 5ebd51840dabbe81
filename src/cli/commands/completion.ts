import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { offers } from '../completion/offers.ts'
import { zshScript } from '../completion/zsh.ts'
import { usageError } from '../usage/syntax.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name)

/** `gossamer completion bash|zsh|fish` */
export function completionScript(shell: string | undefined): string {
  if (shell === undefined || !isShell(shell)) throw usageError('completion')
  return scripts[shell](offers())
}
