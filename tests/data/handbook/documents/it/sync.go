// Package sync sends the slips of a shop to the writer once the line is back.
package sync

import (
	"context"
	"errors"
	"time"
)

// ErrTwoWriters means that both machines take writes; nothing may be sent then.
var ErrTwoWriters = errors.New("pike and perch both accept writes")

// Slip is one numbered slip from the yellow box.
type Slip struct {
	Number  int
	Boat    string
	Deposit int
	Taken   time.Time
}

// Queue holds the slips that the writer hasn't confirmed.
type Queue struct {
	slips   []Slip
	writers func() int
}

// Push adds a slip; slips with a number that is there already are dropped.
func (q *Queue) Push(s Slip) bool {
	for _, old := range q.slips {
		if old.Number == s.Number {
			return false
		}
	}
	q.slips = append(q.slips, s)
	return true
}

// Drain sends all slips in the order of their numbers, at most three tries each with a pause of ten seconds.
func (q *Queue) Drain(ctx context.Context, send func(Slip) error) error {
	if q.writers() > 1 {
		return ErrTwoWriters
	}
	for len(q.slips) > 0 {
		var err error
		for try := 0; try < 3; try++ {
			if err = send(q.slips[0]); err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Second):
			}
		}
		if err != nil {
			return err
		}
		q.slips = q.slips[1:]
	}
	return nil
}
