/** What happens between 'Book now' and a paid order; `holdMinutes` as the server has it. */
export function HowBookingWorks({ holdMinutes }: { holdMinutes: number }) {
  const steps = [
    {
      title: 'Book',
      text: 'Choose a part and say how many. The total is shown before you decide, and nothing is added to it later.',
    },
    {
      title: 'Held',
      text: `From that moment your pieces are taken off the shelf for ${holdMinutes} minutes. Nobody else can buy them.`,
    },
    {
      title: 'Pay',
      text: 'Pay by card and the order is yours. If you let the time pass, the pieces go back and you owe nothing.',
    },
  ]
  return (
    <section id="booking" aria-labelledby="booking-title" className="column pt-20 md:pt-28">
      <h2 id="booking-title" className="text-4xl font-bold tracking-tight md:text-5xl">
        How booking works
      </h2>
      <ol className="mt-8 grid border-t border-line md:grid-cols-3">
        {steps.map(({ title, text }, i) => (
          <li
            key={title}
            className="border-line py-7 max-md:border-b md:px-8 md:not-first:border-s md:first:ps-0"
          >
            <p className="font-mono text-sm text-copper">{i + 1}</p>
            <h3 className="mt-2 text-2xl font-semibold tracking-tight">{title}</h3>
            <p className="mt-2 max-w-[40ch] text-dim">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
