'''Entries of a small ledger.'''
def balance( entries ):
    return sum( [entry['amount'] for entry in entries] )
def largest(entries) :
    return max(entries , key = lambda entry:entry['amount'])
print(balance([{'amount':3},{'amount':-1}]))
