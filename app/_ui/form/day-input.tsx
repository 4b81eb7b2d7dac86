'use client';
import { useLayoutEffect, useRef } from 'react';
import { Input } from './input.tsx';

/** A date of an earlier year is one whose year is still being typed: 0002, 0020, 0202, 2026. */
const FIRST_YEAR = 2000;

type DayInputProps = {
  /** Needed outside a `Field` only. */
  name?: string;
  'aria-label'?: string;
  /** `AAAA-MM-JJ`, or empty. */
  value: string;
  onDay: (day: string) => void;
  className?: string;
};

/** A date that filters a page. `onDay` is called once the year is complete or the field is left, so that a date half typed requests nothing. */
export function DayInput({ value, onDay, ...rest }: DayInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const given = useRef(value);
  // Uncontrolled, because the browser keeps a date half typed. Only a value changed elsewhere replaces it.
  useLayoutEffect(() => {
    if (value === given.current) return;
    given.current = value;
    if (input.current) input.current.value = value;
  }, [value]);
  const give = (day: string) => {
    if (day === given.current) return;
    given.current = day;
    onDay(day);
  };
  return (
    <Input
      ref={input}
      type="date"
      {...rest}
      defaultValue={value}
      onChange={({ currentTarget: { value: day } }) => {
        if (Number(day.slice(0, 4)) >= FIRST_YEAR) give(day);
      }}
      onBlur={(event) => give(event.currentTarget.value)}
    />
  );
}
