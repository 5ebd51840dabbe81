import type { ViewState } from '../messages.ts'
import { byId } from './elements.ts'
import type { Screen } from './screen.ts'

/** The pointer of the agent over the picture. */
export function createAgentPointer(screen: Screen): (doing: ViewState['doing']) => void {
  const pointer = byId('agent')
  return (doing) => {
    const at = doing?.at
    pointer.toggleAttribute('hidden', !at)
    if (!at) return
    const { x, y } = screen.shareOf(at)
    pointer.style.left = `${x * 100}%`
    pointer.style.top = `${y * 100}%`
  }
}
