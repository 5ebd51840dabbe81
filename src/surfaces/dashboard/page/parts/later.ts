import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CallError } from '../api.ts'
import { Fault, Loading } from './parts.ts'

type View<P> = (props: P) => VNode

/** A view whose script is loaded with its first use, so that the first room opens at once. */
export function later<P extends object>(load: () => Promise<View<P>>): View<P> {
  let view: View<P> | undefined
  return function Later(props) {
    const [fault, setFault] = useState<unknown>()
    const [, setTurn] = useState(0)
    useEffect(() => {
      if (view) return
      const show = (loaded: View<P>) => {
        view = loaded
        setTurn((turn) => turn + 1)
      }
      load().then(show, () => setFault(missing))
    }, [])
    if (view) return html`<${view} ...${props} />`
    return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  }
}

const missing = new CallError(
  'This room could not be loaded.',
  '',
  'Is “gossamer serve” still running? Reload the page.',
)
