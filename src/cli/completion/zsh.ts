import { type Offer, type Offers, valuedFlags } from './offers.ts'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const described = (offers: readonly Offer[]) => offers.map(({ word, about }) => quoted(`${word}:${about}`)).join(' ')

/** Works from a folder of $fpath, and by eval. */
export function zshScript(offers: Offers): string {
  const valued = valuedFlags(offers)
  const choices = valued.flatMap(({ word, value }) =>
    typeof value === 'string' ? [] : [`    ${word}) compadd -- ${value.join(' ')}; return ;;`],
  )
  const after = [...offers.words].map(([name, next]) => `    ${name}) [[ -z $verb ]] && list=(${described(next)}) ;;`)
  const own = [...offers.flags].flatMap(([name, flags]) =>
    flags.length === 0 ? [] : [`      ${name}) list+=(${described(flags)}) ;;`],
  )
  return `#compdef gossamer gossamer-mcp
# zsh completion for gossamer, printed by "gossamer completion zsh".
_gossamer() {
  local command='' verb='' word='' i
  local flag=$words[CURRENT-1]
  local -a list
  local valued=' ${valued.map(({ word }) => word).join(' ')} '
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ $valued == *" $word "* ]]; then
      ((i++))
    elif [[ $word != -* ]]; then
      if [[ -z $command ]]; then command=$word; elif [[ -z $verb ]]; then verb=$word; fi
    fi
  done
  if [[ $words[CURRENT] == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case $flag in
${choices.join('\n')}
  esac
  if [[ $valued == *" $flag "* ]]; then _files; return; fi
  if [[ $words[CURRENT] == -* ]]; then
    list=(${described(offers.everywhere)})
    case $command in
${own.join('\n')}
    esac
    _describe -o flag list
    return
  fi
  case $command in
    '') list=(${described(offers.commands)}) ;;
${after.join('\n')}
  esac
  if (( $#list )); then _describe word list; else _files; fi
}
if [[ $funcstack[1] == _gossamer ]]; then _gossamer "$@"; else compdef _gossamer gossamer gossamer-mcp; fi
`
}
