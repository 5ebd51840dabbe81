import { type Offer, type Offers, valuedFlags } from './offers.ts'

const words = (offers: readonly Offer[]) => `'${offers.map(({ word }) => word).join(' ')}'`

/** In the language of bash 3.2, which macOS has. Where nothing is offered, bash offers files. */
export function bashScript(offers: Offers): string {
  const valued = valuedFlags(offers)
  const choices = valued.flatMap(({ word, value }) =>
    typeof value === 'string' ? [] : [`    ${word}) list='${value.join(' ')}' ;;`],
  )
  const after = [...offers.words].map(([name, next]) => `    ${name}) [[ -z $verb ]] && list=${words(next)} ;;`)
  const own = [...offers.flags].flatMap(([name, flags]) =>
    flags.length === 0 ? [] : [`      ${name}) list+=' '${words(flags)} ;;`],
  )
  return `# bash completion for gossamer, printed by "gossamer completion bash".
_gossamer() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command='' verb='' word='' list='' i
  local valued=' ${valued.map(({ word }) => word).join(' ')} '
  # bash splits --flag=value into three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      ((i++))
    elif [[ $valued == *" $word "* ]]; then
      [[ \${COMP_WORDS[i+1]} == = ]] || ((i++))
    elif [[ $word != -* ]]; then
      if [[ -z $command ]]; then command=$word; elif [[ -z $verb ]]; then verb=$word; fi
    fi
  done
  COMPREPLY=()
  case $prev in
${choices.join('\n')}
  esac
  if [[ -z $list && $valued == *" $prev "* ]]; then return; fi
  if [[ -z $list && $cur == -* ]]; then
    list=${words(offers.everywhere)}
    case $command in
${own.join('\n')}
    esac
  fi
  [[ -n $list ]] || case $command in
    '') list=${words(offers.commands)} ;;
${after.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$cur"))
}
complete -o default -o bashdefault -F _gossamer gossamer gossamer-mcp
`
}
