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
