/**
 * Runs once the browser has painted the answer to an input: what is slow and not part of that answer.
 * @returns takes it back
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // callbacks of a frame come before its paint, a timer after it
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
