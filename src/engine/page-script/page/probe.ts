/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export type Look = {
  /** Characters of visible text, digits aside. */
  text: number
  isLoading: boolean
  /** Something in view says that more is to come. */
  isBusy: boolean
  hasScripts: boolean
}

/** Runs in the page: how far it has come. */
export function lookAround(): Look {
  const busy =
    '[aria-busy=true],[role=progressbar],.skeleton,[class*=skeleton i],[class*=spinner i],[class*=shimmer i],.loading,.loader'
  // What is visible takes a layout to know, which a page of a million elements has no time for.
  const isLarge = document.getElementsByTagName('*').length > 20_000
  const text = (isLarge ? document.body?.textContent : document.body?.innerText) ?? ''
  const saysBusy = !isLarge && /^\s*(?:loading|please wait)[^\p{L}\n]*$/imu.test(text)
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  const isShown = (element: Element) => element.getClientRects().length > 0
  return {
    text: text.replace(/\d+/g, '').length,
    isLoading: document.readyState === 'loading',
    isBusy: saysBusy || (!isLarge && Array.from(document.querySelectorAll(busy)).some(isShown)),
    hasScripts: document.scripts.length > 0,
  }
}
