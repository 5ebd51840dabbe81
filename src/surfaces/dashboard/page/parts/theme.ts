type Theme = 'light' | 'dark' | 'system'
const order: readonly Theme[] = ['system', 'light', 'dark']
const place = 'gossamer-theme'

/** Without storage the choice lasts as long as the page. */
export function theme(): Theme {
  try {
    return order.find((each) => each === localStorage.getItem(place)) ?? 'system'
  } catch {
    return 'system'
  }
}

export function dress(choice: Theme): void {
  document.documentElement.dataset['theme'] = choice
  try {
    localStorage.setItem(place, choice)
  } catch {
    return
  }
}

export const nextTheme = (now: Theme): Theme => order[(order.indexOf(now) + 1) % order.length] ?? 'system'
