export type Heap<T> = { push(item: T): void; pop(): T | undefined; first(): T | undefined }

/** A binary heap: `pop` returns the first element in order. */
export function createHeap<T>(isBefore: (one: T, other: T) => boolean): Heap<T> {
  const items: T[] = []

  function rise(item: T): void {
    let at = items.length
    items.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      const other = items[above]
      if (other === undefined || !isBefore(item, other)) break
      items[at] = other
      at = above
    }
    items[at] = item
  }

  function sink(item: T): void {
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = items[below]
      const right = items[below + 1]
      if (right !== undefined && child !== undefined && isBefore(right, child)) [below, child] = [below + 1, right]
      if (child === undefined || !isBefore(child, item)) break
      items[at] = child
      at = below
    }
    items[at] = item
  }

  return {
    push: rise,
    first: () => items[0],
    pop() {
      const first = items[0]
      const last = items.pop()
      if (last !== undefined && items.length > 0) sink(last)
      return first
    },
  }
}
