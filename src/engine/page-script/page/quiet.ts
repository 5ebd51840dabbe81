/// <reference lib="dom" />

/** Runs in the page: what it loads and waits for is given up, so that it does not go elsewhere while the next page comes. */
export function fallSilent(): void {
  const most = 20_000
  const last = setTimeout(() => {}, 0) as unknown as number
  for (let id = last; id > 0 && id > last - most; id--) clearTimeout(id)
  stop()
}

/// <reference lib="dom" />

/** Runs in the page, in a world of its own: no handler of the page hears that a picture, sound or film did not come. */
export function hushImages(): void {
  const silent = 'img,source,audio,video,picture'
  window.addEventListener(
    'error',
    (event) => {
      if (event.target instanceof Element && event.target.matches(silent)) event.stopImmediatePropagation()
    },
    true,
  )
}
